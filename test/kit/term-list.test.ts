import { createBulkWriter } from '../../src/kit/writes/bulk';
import { createLoad } from '../../src/kit/reads/load';
import { putAll } from '../../src/kit/writes/row-writer';
import { comparePlaces, type Place } from '../../src/kit/postings/entry';
import { sharedIndex } from '../../src/kit/postings/shared-index';
import { addEntries } from '../../src/kit/postings/unsealed';
import { connectTerms } from '../../src/kit/postings/term-list';
import { joinPages } from '../../src/tools/testing/testing';
import { startHarness } from '../support/harness';

const LIST = { list: 'ranked', termsOf: () => Promise.resolve([]) };

test('pages of entries with ranks join to the whole in both directions, without those that are gone', async () => {
  const { database } = await startHarness();
  const index = sharedIndex(database, LIST);
  expect(sharedIndex(database, LIST)).toBe(index);
  const places = Array.from({ length: 40 }, (_, n) => ({ rank: (n * 7) % 3, id: String(100 + n) }));
  const store = (some: readonly Place[]) =>
    addEntries(
      index,
      some.map((place) => ({ ...place, terms: ['all', Number(place.id) % 2 === 0 ? 'even' : 'odd'] })),
      (writes) => putAll(createBulkWriter(database)(), writes),
    );
  // Some are in a segment, some are not sealed yet.
  await store(places.slice(0, 25));
  expect(await index.maintain({ afterMs: 0, ageMs: 0 })).toBe(25);
  await store(places.slice(25));
  const searched = {
    name: 'even',
    terms: ['even', 'all'],
    read: (place: Place) => Promise.resolve(place.id === '120' ? null : place),
  };
  const page = async (args: string) => {
    const given = JSON.parse(`{${args.replace(/(\w+):/g, '"$1":')}}`) as { first?: number; last?: number };
    const { edges, pageInfo } = await connectTerms(createLoad(database), index, searched, given);
    const { hasNextPage, hasPreviousPage, startCursor, endCursor } = pageInfo;
    const ends = { hasNextPage: await hasNextPage, hasPreviousPage: await hasPreviousPage };
    return { edges, pageInfo: { ...ends, startCursor, endCursor } };
  };
  const { edges } = await page('first: 100');
  const wanted = places.filter(({ id }) => Number(id) % 2 === 0 && id !== '120').sort(comparePlaces);
  expect(edges.map(({ node }) => node)).toEqual(wanted);
  for (const size of [1, 3, 7])
    for (const direction of ['first', 'last'] as const)
      expect(await joinPages(page, direction, size)).toEqual(edges);
});
