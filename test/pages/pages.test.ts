import { createSchema } from '../../src/app';
import { pulledByUser } from '../../src/features/follow/follow.table';
import type { Write } from '../../src/kit/cassandra/database';
import { connectionsOf } from '../../src/tools/testing/testing';
import { putAll } from '../../src/kit/writes/row-writer';
import { removalOf, writeOf } from '../../src/kit/cassandra/write';
import { mergedFlagWrite } from '../../src/write/timeline/fan-out-mode';
import { articles } from '../../src/features/news/news.table';
import { follow, type Harness, person, startHarness, tweet } from '../support/harness';
import { idOf, numberOf, ORIGINAL, OWNER } from './items';
import { bookmarkLists } from './bookmark-lists';
import { foundLists } from './found-lists';
import { networkLists } from './network-lists';
import { article, newsLists } from './news-lists';
import { ARTICLE, storedLists } from './stored-lists';

const lists = [...storedLists, ...bookmarkLists, ...networkLists, ...foundLists, ...newsLists];

const PAGE = 5;

const PAGES = 10;

/** How many items there are or will be; at first every second of them is in, and some months are empty. */
const MOST = 130;

const isFirst = (n: number) => n % 2 === 0 && (n < 60 || n > 66);

/** Connections that are pages of one partition, or whose items do not come and go alone, and the tests that walk them. */
const WALKED_ELSEWHERE: Readonly<Record<string, string>> = {
  'Tweet.ancestors': 'test/threads/ancestors.test.ts',
  'Tweet.thread': 'test/threads/tree.unit.test.ts',
  'User.notifications': 'test/notifications/acts.test.ts',
  'Notification.actors': 'test/notifications/acts.test.ts',
  'User.blockedUsers': 'test/society/own-lists.test.ts',
  'User.mutedUsers': 'test/society/own-lists.test.ts',
};

test('every connection of the schema is walked here', () => {
  const known = [...Object.keys(WALKED_ELSEWHERE), ...lists.map(({ field }) => field)];
  expect(connectionsOf(createSchema()).filter((name) => !known.includes(name))).toEqual([]);
});

interface Answered {
  readonly edges: readonly { cursor: string; node: { key: string } }[];
  readonly nodes: readonly { key: string }[];
  readonly pageInfo: {
    hasNextPage: boolean;
    hasPreviousPage: boolean;
    startCursor: string;
    endCursor: string;
  };
}

let server: Harness;

beforeAll(async () => {
  // Lists are split after a few items, so pages walk many partitions.
  server = await startHarness({}, undefined, { lists: { fullRows: 40, rowsPerCheck: 10, effectiveMs: 0 } });
  const all = Array.from({ length: MOST }, (_, n) => n);
  await server.store([
    person(OWNER, 'ada'),
    person('2', 'bo'),
    person('3', 'cy'),
    tweet(ORIGINAL, '2'),
    ...all.map((n) => person(idOf(n), `user${idOf(n)}`)),
  ]);
  const { query, params } = writeOf(articles, { ...article(0), articleId: ARTICLE });
  await server.database.write(query, params);
});

afterAll(() => server.close());

describe.each(lists.map((list) => [list.field, list] as const))(
  '%s',
  (field, { ask, put, remove, forwardsOnly, numberOf: numberBy = numberOf }) => {
    const run = (writes: readonly Write[]) => putAll(server.writeServices.bulk(), writes);
    const page = async (args: string): Promise<Answered> => {
      const { data, errors } = await server.query(ask(args));
      expect(errors).toEqual([]);
      const found = data as { list: Answered; user?: { list: Answered } };
      return (found.user ?? found).list;
    };

    const author = { userId: OWNER, authorId: '3' };
    const isPulled = field.endsWith('pulled authors');
    beforeAll(() => run(isPulled ? [mergedFlagWrite(OWNER), writeOf(pulledByUser, author)] : []));
    afterAll(() => run(isPulled ? [removalOf(pulledByUser, author)] : []));

    test.each(forwardsOnly ? (['first'] as const) : (['first', 'last'] as const))(
      'ten pages by %s join to the whole while items come and go in between',
      async (direction) => {
        const forwards = direction === 'first';
        const present = new Set<number>();
        const add = async (n: number) => {
          present.add(n);
          await run(put(n));
        };
        const drop = async (n: number) => {
          present.delete(n);
          await run(remove(n));
        };
        for (const n of Array.from({ length: MOST }, (_, index) => index).filter(isFirst)) present.add(n);
        await run(Array.from({ length: MOST }, (_, n) => (present.has(n) ? put(n) : remove(n))).flat());
        const always = new Set(present);

        const joined: number[] = [];
        let cursor: string | undefined;
        for (let pageNumber = 0; pageNumber < PAGES; pageNumber++) {
          // An empty cursor is none.
          const after = `, ${forwards ? 'after' : 'before'}: "${cursor ?? ''}"`;
          const { edges, nodes, pageInfo } = await page(`${direction}: ${PAGE}${after}`);
          const keys = edges.map(({ node }) => numberBy(node.key));
          expect(nodes).toEqual(edges.map(({ node }) => node));

          const at = joined.at(forwards ? -1 : 0) ?? (forwards ? Infinity : -Infinity);
          const ahead = [...present]
            .filter((n) => (forwards ? n < at : n > at))
            .sort((a, b) => (forwards ? b - a : a - b));
          const wanted = ahead.slice(0, PAGE);
          expect(keys).toEqual(forwards ? wanted : wanted.reverse());
          expect(forwards ? pageInfo.hasNextPage : pageInfo.hasPreviousPage).toBe(ahead.length > PAGE);
          const hasOpposite = [...present].some((n) => (forwards ? n >= at : n <= at));
          expect(forwards ? pageInfo.hasPreviousPage : pageInfo.hasNextPage).toBe(hasOpposite);
          expect([pageInfo.startCursor, pageInfo.endCursor]).toEqual([
            edges[0]?.cursor,
            edges.at(-1)?.cursor,
          ]);
          if (forwards) joined.push(...keys);
          else joined.unshift(...keys);
          cursor = forwards ? pageInfo.endCursor : pageInfo.startCursor;

          // On each side of the cursor one item is added and one removed. Every other time, the item of the cursor is removed, too.
          const here = joined.at(forwards ? -1 : 0) ?? 0;
          const step = forwards ? -1 : 1;
          await add(here - step * (2 * PAGE + 1));
          await add(here + step * 3);
          for (const gone of [...(pageNumber % 2 === 0 ? [here] : []), here + step * 4, here - step * 4]) {
            always.delete(gone);
            await drop(gone);
          }
        }
        expect(joined).toHaveLength(PAGE * PAGES);
        expect(new Set(joined).size).toBe(joined.length);
        expect(joined).toEqual([...joined].sort((a, b) => b - a));
        const [newest = 0, oldest = 0] = [joined[0], joined.at(-1)];
        const within = [...always].filter((n) => n <= newest && n >= oldest);
        expect(within.filter((n) => !joined.includes(n))).toEqual([]);

        // Without the items of the pages there is no opposite page. With the last item alone there is one.
        const last = joined.at(forwards ? -1 : 0) ?? 0;
        const around = [...present].filter((n) => (forwards ? n >= last : n <= last));
        for (const n of around) present.delete(n);
        await run(around.flatMap(remove));
        const hasOppositePage = async () => {
          const { pageInfo } = await page(
            `${direction}: 1, ${forwards ? 'after' : 'before'}: "${cursor ?? ''}"`,
          );
          return forwards ? pageInfo.hasPreviousPage : pageInfo.hasNextPage;
        };
        expect(await hasOppositePage()).toBe(false);
        await add(last);
        expect(await hasOppositePage()).toBe(true);
      },
    );
  },
);

test('equal moments and equal seconds are told apart by cursors', async () => {
  const [FIRST, SECOND] = ['4', '5'];
  const near = (milliseconds: number) => new Date(Date.UTC(2026, 0, 1) + milliseconds);
  // Many followed in one second, some in one millisecond; and the same people followed another in that second.
  const followed = Array.from({ length: 30 }, (_, n) => [
    { ...follow(idOf(n), FIRST), followedAt: near(Math.floor(n / 3) * 7) },
    { ...follow(idOf(n), SECOND), followedAt: near(Math.floor((29 - n) / 3) * 7 + 500) },
  ]).flat();
  await server.store([person(FIRST, 'dora'), person(SECOND, 'eve'), ...followed]);
  const list = (name: string, page: string) =>
    `${name}: user(username: "${name}") { list: followers(${page}) { edges { cursor node { userId } } } }`;
  type Both = Record<'dora' | 'eve', { list: { edges: { cursor: string; node: { userId: string } }[] } }>;
  const both = async (dora: string, eve: string) => {
    const { data, errors } = await server.query(`{ ${list('dora', dora)} ${list('eve', eve)} }`);
    expect(errors).toEqual([]);
    return data as Both;
  };
  const whole = await both('first: 100', 'first: 100');
  const keys = ({ list: { edges } }: Both['dora']) => edges.map(({ node }) => node.userId);
  expect(keys(whole.dora)).toEqual(Array.from({ length: 30 }, (_, n) => idOf(29 - n)));
  // Both pages begin after the same person, at moments of the same second.
  for (const [place, { cursor, node }] of whole.dora.list.edges.entries()) {
    const other = whole.eve.list.edges.findIndex((edge) => edge.node.userId === node.userId);
    const page = `first: 4, after: "${cursor}"`;
    const next = await both(page, `first: 4, after: "${whole.eve.list.edges[other]?.cursor ?? ''}"`);
    expect(keys(next.dora)).toEqual(keys(whole.dora).slice(place + 1, place + 5));
    expect(keys(next.eve)).toEqual(keys(whole.eve).slice(other + 1, other + 5));
  }
});
