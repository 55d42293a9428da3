import { comparePlaces, encodePlaces, keyOfPlace, type Place } from '../../src/kit/postings/entry';
import { findPlaces } from '../../src/kit/postings/find';
import { KnownPostings } from '../../src/kit/postings/known-postings';
import { locateEntries } from '../../src/kit/postings/lookup';
import { decodeOrdinals, encodeOrdinals } from '../../src/kit/postings/ordinals';
import { postingsOfTerm } from '../../src/kit/postings/postings.table';
import { compareSegments, nameBounds, nameChunk, type Segment } from '../../src/kit/postings/segment';
import { SegmentBlock } from '../../src/kit/postings/segment-block';
import { SegmentList, SegmentsAhead } from '../../src/kit/postings/segment-list';
import { Tail } from '../../src/kit/postings/tail';
import type { Load } from '../../src/kit/reads/load';
import { randomIntFrom, type RandomInt } from '../support/random-int';

/** Printed when a test fails. */
const SEED = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

const place = (id: number, rank = 0): Place => ({ rank, id: String(id) });

let built = 0;
function segmentOf(first: Place, last: Place, volume = 0): Segment {
  const own = { segment: String(256 * ++built), part: 0, bounds: null, superseded: null };
  return { ...own, volume, entries: 1, bytes: 1, first, last };
}

/** A segment somewhere among places of two ranks. Few are long, but some are from one end to the other. */
function drawSegment(random: RandomInt): Segment {
  const length = random(50) === 0 ? random(10_000) : random(20);
  const id = random(10_000);
  const places = [place(id, random(2)), place(Math.max(0, id - length), random(20) === 0 ? 0 : 1)];
  const [first = place(id), last = place(id)] = places.sort(comparePlaces);
  const marked = random(10) === 0;
  return {
    ...segmentOf(first, last, random(4)),
    part: random(32),
    entries: random(65_536) + 1,
    bytes: random(2 ** 31),
    bounds: marked ? encodePlaces([first]) : null,
    superseded: marked ? decodeOrdinals(encodeOrdinals([random(65_536)])) : null,
  };
}

/** A list after some random changes, and the segments that it must have. */
function drawList(random: RandomInt) {
  let expected = Array.from({ length: random(1500) }, () => drawSegment(random));
  let list = SegmentList.of(expected);
  for (let changes = random(60); changes > 0; changes--) {
    const share = random(8);
    const removed = expected.filter(() => random(40) < share);
    const marked = removed.filter(() => random(10) === 0).map((segment) => ({ ...segment, bytes: 2 }));
    const added = [...marked, ...Array.from({ length: random(60) }, () => drawSegment(random))];
    list = list.change({ removed, added });
    expected = [...expected.filter((segment) => !removed.includes(segment)), ...added];
  }
  return { list, expected: expected.sort(compareSegments) };
}

/** What is ahead, by a look at all segments. */
function lookAtAll(segments: readonly Segment[], after: Place | undefined, reversed: boolean) {
  const compare = (a: Place, b: Place) => (reversed ? comparePlaces(b, a) : comparePlaces(a, b));
  const ahead = (reversed ? segments.toReversed() : segments).filter(
    ({ first, last }) => after === undefined || compare(reversed ? first : last, after) > 0,
  );
  const begins = ahead.map((_, n) =>
    ahead
      .slice(n)
      .map(({ first, last }) => (reversed ? last : first))
      .reduce((least, begin) => (compare(begin, least) < 0 ? begin : least)),
  );
  return { ahead, begins };
}

test('a list has the segments that it should after any changes, and few blocks', () => {
  const random = randomIntFrom(SEED);
  for (let round = 0; round < 30; round++) {
    const { list, expected } = drawList(random);
    expect({ SEED, segments: [...list] }).toEqual({ SEED, segments: expected });
    expect(list.length).toBe(expected.length);
    expect(list.blocks.length).toBeLessThanOrEqual(1 + expected.length / 64);
    for (const { segments } of list.blocks) expect(segments.length).toBeLessThanOrEqual(256);
    const one = expected[random(Math.max(1, expected.length))];
    if (one === undefined) continue;
    expect(list.find(one)).toEqual(one);
    expect(list.find({ ...one, segment: '1' })).toBeUndefined();
    const at = expected.indexOf(one);
    const isOfVolume = ({ volume }: Segment) => volume === one.volume;
    expect([...list.ofVolume(one, false)]).toEqual(expected.slice(at).filter(isOfVolume));
    expect([...list.ofVolume(one, true)]).toEqual(
      expected
        .slice(0, at + 1)
        .filter(isOfVolume)
        .reverse(),
    );
  }
});

test('the segments ahead are those that a look at all finds, wherever a page begins', () => {
  const random = randomIntFrom(SEED);
  for (let round = 0; round < 30; round++) {
    const { list, expected } = drawList(random);
    for (const reversed of [false, true])
      for (const after of [undefined, place(random(10_000), random(2)), expected[0]?.first]) {
        const { ahead, begins } = lookAtAll(expected.slice(0, 700), after, reversed);
        const found = new SegmentsAhead(SegmentList.of(expected.slice(0, 700)), { after, reversed });
        const indexes = Array.from({ length: ahead.length + 1 }, (_, n) => n);
        expect({ SEED, begins: indexes.map((n) => found.beginAt(n)) }).toEqual({
          SEED,
          begins: [...begins, undefined],
        });
        const all = lookAtAll(expected, after, reversed).ahead;
        expect(new SegmentsAhead(list, { after, reversed }).between(0, Infinity)).toEqual(all);
      }
  }
});

test('postings of segments that are gone are forgotten, and not those of which something has changed', async () => {
  const [gone, changed, same] = [3, 2, 1].map((id) => segmentOf(place(id), place(id)));
  if (!gone || !changed || !same) throw new Error('There must be three segments.');
  const row = ({ segment, first }: Segment) => ({ ...first, segment, ordinals: encodeOrdinals([0]) });
  const load = (() => Promise.resolve([gone, changed, same].map(row))) as unknown as Load;
  const known = new KnownPostings('list');
  const segments = SegmentList.of([gone, changed, same]);
  await known.read(load, 'word', { segments, from: gone, reversed: false, limit: 4 });
  expect([...known.of('word').keys()]).toEqual([gone, changed, same].map(({ segment }) => segment));
  known.forget({ removed: [gone, changed], added: [{ ...changed, bytes: 2 }] });
  expect([...known.of('word').keys()]).toEqual([changed, same].map(({ segment }) => segment));
});

test('entries are located in each segment that has them', async () => {
  const random = randomIntFrom(SEED);
  const chunks = new Map<string, Buffer>();
  const expected = new Map<string, string[]>();
  const segments = Array.from({ length: 1000 }, () => {
    const from = random(5000);
    const ids = new Set(
      Array.from({ length: random(1, 5) }, () => from + random(random(30) === 0 ? 5000 : 30)),
    );
    const places = Array.from(ids, (id) => place(id)).sort(comparePlaces);
    const [first = place(0), last = first] = [places[0], places.at(-1)];
    const segment = segmentOf(first, last);
    chunks.set(nameChunk(segment, 0), encodePlaces(places));
    chunks.set(nameBounds(segment), encodePlaces([first]));
    places.forEach((one, ordinal) => {
      const found = expected.get(keyOfPlace(one)) ?? [];
      expected.set(keyOfPlace(one), [...found, `${segment.segment} ${ordinal}`]);
    });
    return segment;
  });
  const load = ((_: unknown, { chunk }: { readonly chunk: string }) =>
    Promise.resolve({ places: chunks.get(chunk) })) as unknown as Load;
  for (const count of [0, 1, 30, 1000]) {
    const places = Array.from({ length: count }, () => place(random(10_000)));
    const known = new KnownPostings('list');
    const located = await locateEntries(load, known, SegmentList.of(segments), places);
    for (const one of places.map(keyOfPlace)) {
      const found = (located.get(one) ?? []).map(({ segment, ordinal }) => `${segment.segment} ${ordinal}`);
      const wanted = new Set(expected.get(one));
      expect({ SEED, found: new Set(found) }).toEqual({ SEED, found: wanted });
    }
  }
});

describe('of 20,000 segments', () => {
  const COUNT = 20_000;
  /** How far the entries of a segment are from those of the next one. */
  const STEP = 1000;
  const PER_SEGMENT = 20;
  const looked = new Set<SegmentBlock>();
  const segmentsIn = (blocks: Iterable<SegmentBlock>) =>
    [...blocks].reduce((sum, { length }) => sum + length, 0);
  const firstOf = (n: number) => place((COUNT + 100 - n) * STEP);
  const placesOf = (n: number) =>
    Array.from({ length: PER_SEGMENT }, (_, ordinal) => place(Number(firstOf(n).id) - ordinal));
  const create = (n: number) => {
    const places = placesOf(n);
    return segmentOf(places[0] ?? place(0), places.at(-1) ?? place(0), Math.floor(n / 4000));
  };
  const segments = Array.from({ length: COUNT }, (_, n) => create(n));
  const ids = segments.map(({ segment }) => segment);
  const list = SegmentList.of(segments);
  const all = encodeOrdinals(Array.from({ length: PER_SEGMENT }, (_, ordinal) => ordinal));
  const load = ((statement: unknown, key: Record<string, never>) => {
    if (statement !== postingsOfTerm) {
      const n = ids.indexOf(String(BigInt(String(key['chunk'])) & ~255n));
      return Promise.resolve({ places: encodePlaces(placesOf(n)) });
    }
    const { after, reversed, limit } = key as unknown as {
      after: string[];
      reversed: boolean;
      limit: number;
    };
    const start = COUNT + 100 - Number(after[1]) / STEP;
    const rows = Array.from({ length: limit }, (_, n) => (reversed ? start - n : start + n));
    return Promise.resolve(rows.map((n) => ({ ...firstOf(n), segment: ids[n] ?? '', ordinals: all })));
  }) as unknown as Load;

  beforeAll(() => {
    const { prototype } = SegmentBlock;
    const getter = Object.getOwnPropertyDescriptor(prototype, 'segments');
    const iterate = Object.getOwnPropertyDescriptor(prototype, Symbol.iterator)
      ?.value as () => Iterator<Segment>;
    jest.spyOn(prototype, 'segments', 'get').mockImplementation(function (this: SegmentBlock) {
      looked.add(this);
      return getter?.get?.call(this) as readonly Segment[];
    });
    jest.spyOn(prototype, Symbol.iterator).mockImplementation(function (this: SegmentBlock) {
      looked.add(this);
      return iterate.call(this);
    });
  });
  afterAll(() => jest.restoreAllMocks());

  test.each([
    ['at the beginning', undefined, false],
    ['at the end', undefined, true],
    ['in the middle', firstOf(9990), false],
    ['before the middle', firstOf(9990), true],
    ['near the end', firstOf(19_990), false],
  ])('a page %s looks at few', async (_where, after, reversed) => {
    const tail = new Tail();
    const view = { parts: [], dividedAt: 0, segments: list, tail, update: 1 };
    const tester = { left: 0, test: () => Promise.reject(new Error('no entry must be tested')) };
    const searched = { view, known: new KnownPostings('list'), terms: ['one', 'other'], tester };
    looked.clear();
    const { rows } = await findPlaces(load, searched, { after, reversed, limit: 50 });
    // The first entry of the segment is the one that the page begins after.
    const from =
      after === undefined
        ? reversed
          ? COUNT - 3
          : 0
        : reversed
          ? 9987
          : COUNT + 100 - Number(after.id) / STEP;
    const due = [0, 1, 2, 3].flatMap((n) => placesOf(from + n));
    const inOrder = reversed ? due.slice(0, 60).reverse() : due;
    const skipped = after !== undefined && !reversed ? 1 : 0;
    expect(rows).toEqual(inOrder.slice(skipped, skipped + 50));
    expect(segmentsIn(looked)).toBeLessThan(1000);
  });

  test('those of a volume are found without a look at most others', () => {
    const [first] = segments;
    looked.clear();
    expect([...(first ? list.ofVolume(first, false) : [])]).toHaveLength(4000);
    expect(segmentsIn(looked)).toBeLessThan(4600);
  });

  test('a change looks at few', () => {
    const added = [create(-1), create(-2), create(10_000)];
    const removed = segments.filter((_, n) => n < 8 || n === 10_000);
    looked.clear();
    expect(list.change({ removed, added }).length).toBe(COUNT - 6);
    expect(segmentsIn(looked)).toBeLessThan(1000);
  });
});
