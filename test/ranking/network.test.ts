import { randomFrom } from '../../src/kit/base/random';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { follow, person, startHarness, type Harness } from '../support/harness';
import { send } from '../support/mutations';
import { countedFrom, RANKING, type Shown, shownBy, take } from './rankings';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
});
afterAll(() => server.close());

describe('of a network in which people follow and unfollow', () => {
  const PEOPLE = 170;
  const random = randomFrom(5);
  // Squared, so that some are followed by many and there are ties among the others.
  const anybody = () => Math.floor(random() * PEOPLE);
  const somebody = () => Math.floor(random() ** 2 * PEOPLE);
  const nameOf = (n: number) => (n % 3 === 0 ? `Person${n}` : `person${n}`);
  const idOf = (n: number) => String(1000 + n);
  const follows = new Map<string, readonly [string, string]>();
  const taken: { takenAt: Date; expected: Shown['entries'][] }[] = [];

  const followed = (count: number) =>
    Array.from({ length: count }, () => [anybody(), somebody()] as const).filter(([a, b]) => a !== b);
  const add = (follower: number, followee: number) =>
    follows.set(`${follower} ${followee}`, [nameOf(follower), nameOf(followee)]);
  async function imports(count: number): Promise<void> {
    const some = followed(count);
    for (const pair of some) add(...pair);
    await server.store(some.map(([follower, followee]) => follow(idOf(follower), idOf(followee))));
  }
  async function acts(count: number): Promise<void> {
    for (const [follower, followee] of followed(count)) {
      const key = `${follower} ${followee}`;
      const leaves = follows.has(key);
      if (leaves) follows.delete(key);
      else add(follower, followee);
      const id = encodeNodeId('User', idOf(followee));
      const { errors } = await send(server, idOf(follower), leaves ? 'unfollowUser' : 'followUser', { id });
      expect(errors).toEqual([]);
    }
    await server.writeServices.outbox.idle();
  }

  test('there is none before the first was taken, and none has anybody when nobody follows', async () => {
    expect(await shownBy(server)).toEqual([null, null]);
    await server.store(Array.from({ length: PEOPLE }, (_, n) => person(idOf(n), nameOf(n))));
    const { takenAt } = await take(server);
    taken.push({ takenAt, expected: [[], []] });
    expect(await shownBy(server)).toEqual([
      { takenAt: takenAt.toISOString(), entries: [] },
      { takenAt: takenAt.toISOString(), entries: [] },
    ]);
  });

  test('they are what counting every follow gives, ties included', async () => {
    for (const change of [() => acts(20), () => imports(900), () => acts(60), () => imports(300)]) {
      await change();
      const { takenAt } = await take(server);
      const expected = countedFrom(follows.values());
      taken.push({ takenAt, expected });
      expect((await shownBy(server)).map((shown) => shown?.entries)).toEqual(expected);
    }
    expect(taken.at(-1)?.expected.map(({ length }) => length)).toEqual([100, 100]);
  });

  test('those of any time are the newest that were taken by then', async () => {
    for (const [place, { takenAt, expected }] of taken.entries()) {
      const next = taken[place + 1]?.takenAt ?? new Date('2100-01-01');
      for (const at of [takenAt, new Date(Number(next) - 1)]) {
        const shown = await shownBy(server, at);
        expect(shown.map((ranking) => ranking?.entries)).toEqual(expected);
        expect(shown[0]?.takenAt).toBe(takenAt.toISOString());
      }
    }
    expect(await shownBy(server, new Date(Number(taken[0]?.takenAt) - 1))).toEqual([null, null]);
  });

  test('one costs one partition, and one request for its users', async () => {
    const { reads } = await server.query(`{ topAccounts ${RANKING} }`);
    expect(reads.map(({ statement, partitions }) => [statement, partitions])).toEqual([
      ['rankings.page', 1],
      ['users.get', 100],
    ]);
    const cut = await server.query('{ topFollowers(first: 3) { entries { rank user { id } } } }');
    expect(cut.reads.map(({ statement, partitions }) => [statement, partitions])).toEqual([
      ['rankings.page', 1],
      ['users.get', 3],
    ]);
    expect((await server.query('{ topAccounts { takenAt } }')).reads).toHaveLength(1);
  });

  test('the next ones take the places of users whom the viewer may not see', async () => {
    const best = taken.at(-1)?.expected[0] ?? [];
    const viewer = idOf(PEOPLE - 1);
    const hidden = best.slice(1, 3).map(({ user: { username } }) => username);
    const ids = hidden.map((name) => encodeNodeId('User', idOf(Number(/\d+/.exec(name)?.[0]))));
    for (const id of ids) expect((await send(server, viewer, 'blockUser', { id })).errors).toEqual([]);
    const { data } = await server.query(`{ topAccounts(first: 4) ${RANKING} }`, {}, viewer);
    const shown = best.filter(({ user: { username } }) => !hidden.includes(username)).slice(0, 4);
    expect((data as { topAccounts: Shown }).topAccounts.entries).toEqual(
      shown.map((entry, index) => ({ ...entry, rank: index + 1 })),
    );
    for (const id of ids) expect((await send(server, viewer, 'unblockUser', { id })).errors).toEqual([]);
  });

  test('a list of them shows each whole, for one partition and one request for all users', async () => {
    const source = `{ rankings(kind: TOP_FOLLOWERS, from: "2020-01-01T00:00:00Z", to: "2100-01-01T00:00:00Z") { nodes ${RANKING} } }`;
    const { data, reads } = await server.query(source);
    const expected = taken.map(({ takenAt, expected: [, entries] }) => ({
      takenAt: takenAt.toISOString(),
      entries,
    }));
    expect(data).toEqual({ rankings: { nodes: expected.reverse() } });
    expect(reads.map(({ statement }) => statement).slice(0, 2)).toEqual(['buckets.page', 'rankings.page']);
    expect(new Set(reads.slice(2).map(({ statement }) => statement))).toEqual(new Set(['users.get']));
  });

  test('what was written down to take them is gone', async () => {
    expect(await server.database.run('SELECT account FROM ranking_pairs')).toEqual([]);
    expect(await server.database.run('SELECT checkpoint FROM leases')).toEqual([]);
  });

  test.each([
    ['first below 1', '{ topAccounts(first: 0) { takenAt } }'],
    ['first above 100', '{ topFollowers(first: 101) { takenAt } }'],
    [
      'a period that ends before it begins',
      '{ rankings(kind: TOP_ACCOUNTS, from: "2026-01-02T00:00:00Z", to: "2026-01-01T00:00:00Z") { nodes { takenAt } } }',
    ],
    [
      'a cursor of another list',
      '{ rankings(kind: TOP_ACCOUNTS, from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z", after: "eA") { nodes { takenAt } } }',
    ],
  ])('%s is refused', async (_name, source) => {
    const { errors } = await server.query(source);
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['BAD_USER_INPUT']);
  });

  test('the limit on nodes counts a hundred entries for each of a list, and of one as many as are asked for', async () => {
    const entries = '{ entries { user { followers(first: 99) { nodes { id } } } } }';
    const list = `rankings(kind: TOP_ACCOUNTS, from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z", first: 5) { nodes ${entries} }`;
    const { errors } = await server.query(`{ ${list} }`);
    expect(errors.map(({ message }) => message)).toEqual([
      'A query may return at most 50000 nodes, but this one could return 50005: ask for smaller pages.',
    ]);
    expect((await server.query(`{ topAccounts(first: 2) ${entries} }`)).errors).toEqual([]);
  });
});
