import { jobs } from '../src/jobs/all';
import { magnitudeOf } from '../src/kit/base/magnitude';
import { encodeNodeId } from '../src/kit/graphql/global-id';
import { createLoad } from '../src/kit/reads/load';
import {
  KEPT_USERS,
  MAX_USERS,
  userSearchEntries,
  usersByPrefix,
} from '../src/features/user-search/user-search.table';
import { removalOf, writeOf } from '../src/kit/cassandra/write';
import { putAll } from '../src/kit/writes/row-writer';
import { prefixRowsOf, prefixWrite } from '../src/write/user-search/entries';
import { findByNewName } from '../src/write/user-search/followees';
import { indexUsers, trim } from '../src/write/user-search/index-users';
import { users } from '../src/features/user/user.table';
import { updateProfile } from '../src/write/user/sign-up';
import { person, startHarness, type Harness } from './support/harness';
import { isLong } from './support/long';
import { act, ask, codesOf, put } from './support/mutations';
import { randomIntFrom } from './support/random-int';

const userNode = (userId: string) => encodeNodeId('User', userId);
const person2 = (id: string, username: string, name: string) => ({ ...person(id, username), name });

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
});

async function search(text: string, who: string | null, first = 10): Promise<string[]> {
  const source =
    'query ($text: String!, $first: Int!) { searchUsers(text: $text, first: $first) { username } }';
  const { data, errors } = await server.query(source, { text, first }, who);
  expect(errors).toEqual([]);
  return (data as { searchUsers: { username: string }[] }).searchUsers.map(({ username }) => username);
}
const follow = (follower: string, followee: string) =>
  act(server, follower, 'followUser', { id: userNode(followee) });
const unfollow = (follower: string, followee: string) =>
  act(server, follower, 'unfollowUser', { id: userNode(followee) });
const idle = () => server.writeServices.outbox.idle();

/** Each table by which people are found is as its sources say. */
async function expectDerived(): Promise<void> {
  await idle();
  for (const job of jobs.filter(({ name }) =>
    /^(users_by_prefix|user_search_entries|followees_by_name)$/.test(name),
  ))
    expect([
      job.name,
      await job.verify({ database: server.database, retentionMonths: null }, 100_000),
    ]).toMatchObject([job.name, { missing: 0, surplus: 0, different: 0 }]);
}

test('a user is found by the present name, whatever server with a clock ahead indexed the one before', async () => {
  await server.store([person2('71', 'vera', 'Novena')]);
  const [former] = await createLoad(server.database)(userSearchEntries.within([]), { userId: '71' });
  if (former === undefined) throw new Error('there must be an entry');
  // What a server stores that is four seconds ahead.
  const at = (Date.now() + 4000) * 1000;
  const entry = { ...former, name: 'Sextus' };
  await putAll(server.writeServices.bulk(), [
    ...prefixRowsOf(former).map((row) => removalOf(usersByPrefix, row, at)),
    removalOf(userSearchEntries, former, at),
    ...prefixRowsOf(entry).map((row) => prefixWrite(row, at)),
    writeOf(userSearchEntries, entry, { at }),
  ]);
  expect([await search('sextus', null), await search('novena', null)]).toEqual([['vera'], []]);
  await indexUsers(server.database, ['71']);
  expect([await search('sextus', null), await search('novena', null)]).toEqual([[], ['vera']]);
});

test('people are found by names, however they came, and not by those that they had', async () => {
  await server.store([
    person2('1', 'ada', 'Ada Lovelace'),
    person2('2', 'bo', 'Bo Adams'),
    person2('3', '3', '3'),
  ]);
  const { userId } = await put(server, 'service', 'createUser', { username: 'Zed', name: 'Zoë Adair' });
  expect(await search('ad', null)).toEqual(['ada', 'bo', 'Zed']);
  expect(await search('LOVELACE', null)).toEqual(['ada']);
  expect(await search('zoe ad', null)).toEqual(['Zed']);
  expect(await search('@zed', null)).toEqual(['Zed']);
  await put(server, userId, 'updateUser', { name: 'Zora' });
  expect(await search('ad', null)).toEqual(['ada', 'bo']);
  expect(await search('zora', null)).toEqual(['Zed']);
  expect(await search('', null)).toEqual([]);
  expect(
    await ask(server, '{ searchUsers(text: "zed") { name description createdAt twitterAccount } }'),
  ).toMatchObject({
    searchUsers: [{ name: 'Zora', description: null }],
  });
  await expectDerived();
});

test('a long name finds its user to its end, and no longer', async () => {
  const name = 'Maximilian Alexander von Habsburg-Lothringen';
  await server.store([person2('81', 'max', name)]);
  await act(server, '1', 'followUser', { id: userNode('81') });
  for (const who of [null, '1'])
    for (const [text, found] of [
      [name, ['max']],
      [name.slice(0, 31), ['max']],
      [name.slice(11), ['max']],
      [`${name}s`, []],
      [`${name.slice(0, 31)}x`, []],
    ] as const)
      expect([who, text, await search(text, who)]).toEqual([who, text, found]);
});

test('a user is found by the name that was decided last, also where that is the one that a change began with', async () => {
  const { userId } = await put(server, 'service', 'createUser', { username: 'yves', name: 'Xaver' });
  const before = await createLoad(server.database)(users.get, { userId });
  if (before === null) throw new Error('there must be the user');
  await put(server, userId, 'updateUser', { name: 'Yannick' });
  // What another server does that has read the profile before.
  expect(await updateProfile(server.writeServices, before, { name: 'Xaver' })).toEqual({ isRenamed: true });
  expect(await updateProfile(server.writeServices, before, { name: 'Xaver' })).toEqual({ isRenamed: false });
  await findByNewName(server.writeServices, userId);
  await expectDerived();
});

test('a user is found by the followers that another change of the user has shown', async () => {
  const [one, other] = [person2('501', 'quill', 'Quill'), person2('502', 'rook', 'Rook')];
  await server.store([one, other, person2('503', 'sage', 'Sage')]);
  // Somebody has followed the first one, and has not shown the count yet: the follow of the first one shows it.
  await server.writeServices.tally.change({ owner: '501', list: 'followers', member: '503', present: true });
  await follow('501', '502');
  await idle();
  const rows = await server.database.run('SELECT rank FROM user_search_entries WHERE user_id = 501');
  const before = await server.database.run('SELECT rank FROM user_search_entries WHERE user_id = 503');
  expect(Number(rows[0]?.['rank'])).toBe(Number(before[0]?.['rank']) - 1);
});

test('a search makes at most three statements, and refuses more than ten', async () => {
  const source = (fields: string) => `{ searchUsers(text: "adams") { ${fields} } }`;
  const statements = async (fields: string, who: string | null) => {
    const { reads } = await server.query(source(fields), {}, who);
    return reads
      .filter(({ fields: of }) => of.includes('Query.searchUsers'))
      .map(({ statement }) => statement);
  };
  // Who asks is read once a request. Relations tell the blocks, so that not all is read that is hidden from the caller.
  const own = ['followees_by_name.page', 'relations.get', 'users_by_prefix.page'];
  expect((await statements('id username name', '1')).sort()).toEqual([...own, 'users.get'].sort());
  expect(await statements('id username name', null)).toEqual(['users_by_prefix.page']);
  expect(await statements('description', null)).toEqual(['users_by_prefix.page', 'users.get']);
  for (const first of [0, 11, -1]) {
    const { errors } = await server.query(`{ searchUsers(text: "a", first: ${first}) { id } }`);
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['BAD_USER_INPUT']);
  }
});

test('first comes the username, then whom one follows, then who follows, then who has most followers', async () => {
  await server.store([
    ...['quin', 'quinn', 'quincy', 'quinta', 'quintus', 'quince'].map((name, n) =>
      person2(String(20 + n), name, name),
    ),
    ...Array.from({ length: 8 }, (_, n) => person(String(40 + n), `fan${n}`)),
  ]);
  for (let n = 0; n < 4; n++) await follow(String(40 + n), '24');
  for (let n = 0; n < 2; n++) await follow(String(40 + n), '23');
  await follow('47', '25');
  await follow('22', '47');
  await idle();
  expect(await search('quin', '47')).toEqual(['quin', 'quince', 'quincy', 'quintus', 'quinta', 'quinn']);
  expect(await search('quin', null)).toEqual(['quin', 'quintus', 'quinta', 'quince', 'quincy', 'quinn']);
  await unfollow('47', '25');
  expect(await search('quin', '47', 2)).toEqual(['quin', 'quincy']);
  await put(server, '22', 'updateUser', { name: 'Cyrus' });
  await follow('47', '22');
  await put(server, '22', 'updateUser', { name: 'Darius' });
  await idle();
  expect(await search('dari', '47')).toEqual(['quincy']);
  expect(await search('cyrus', '47')).toEqual([]);
  await expectDerived();
});

test('who renames as often as one may, or has many words, is in few rows', async () => {
  const { userId } = await put(server, 'service', 'createUser', { username: 'many', name: 'Many' });
  const words = Array.from({ length: 25 }, (_, n) => `${String.fromCharCode(97 + n)}bc`).join(' ');
  for (const name of [words, 'Many', words, '山'.repeat(100), words])
    await put(server, userId, 'updateUser', { name });
  await idle();
  const rows = await server.database.read(
    'SELECT prefix FROM users_by_prefix WHERE user_id = ? ALLOW FILTERING',
    [userId],
  );
  expect(rows.length).toBeLessThanOrEqual(37);
  await expectDerived();
});

test('a user has so many names a day', async () => {
  const strict = await startHarness({ QUOTA_RENAMES_PER_DAY: '10' }, server);
  const codes: string[] = [];
  for (let n = 0; n < 12; n++)
    codes.push(...(await codesOf(strict, '2', 'updateUser', { input: { name: `Bo ${n % 2}` } })));
  expect([...new Set(codes)]).toEqual(['RATE_LIMITED']);
  expect(await codesOf(strict, '2', 'updateUser', { input: { description: 'Still me' } })).toEqual([]);
});

/** The words of names, and what is searched, of the property below. */
const WORDS = [
  'Mila',
  'Milán',
  'Mirko',
  'Mo',
  'Łuk',
  'łukasz',
  'Ана',
  'Анна',
  'Öz',
  'oz',
  "O'Mi",
  'Mi-Lo',
  '山田',
  '山',
  'mil',
];
const TEXTS = [
  'm',
  'mi',
  'mil',
  'mila',
  'milan',
  'o',
  'oz',
  'lu',
  'luk',
  'ана',
  'ан',
  '山',
  '山田',
  '田',
  "o'm",
  'lo',
  'mila_1',
  'luk_1',
];

test('searches find what a matcher by brute force finds, after random renames and follows', async () => {
  const acts = isLong ? 2000 : 75;
  const random = randomIntFrom(2039);
  const pick = <T>(from: readonly T[]) => from[random(from.length)] as T;
  const people = Array.from({ length: 24 }, (_, n) => ({
    userId: String(5000 + n),
    username: `${pick(['mila', 'luk', 'oz', 'mo'])}_${n}`,
    name: '',
  }));
  const newName = () => Array.from({ length: 1 + random(3) }, () => pick(WORDS)).join(' ');
  for (const one of people) one.name = newName();
  await server.store(people.map(({ userId, username, name }) => person2(userId, username, name)));
  const follows = new Set<string>();
  for (let n = 0; n < acts; n++) {
    const [one, other] = [pick(people), pick(people)];
    const key = `${one.userId} ${other.userId}`;
    if (random(4) === 0) {
      one.name = newName();
      await put(server, one.userId, 'updateUser', { name: one.name });
    } else if (one !== other && follows.delete(key)) await unfollow(one.userId, other.userId);
    else if (one !== other) {
      follows.add(key);
      await follow(one.userId, other.userId);
    }
    if (n % 50 < 48 && n < acts - 1) continue;
    await idle();
    const text = pick(TEXTS);
    for (const viewer of [null, pick(people).userId])
      expect([text, viewer, await search(text, viewer)]).toEqual([
        text,
        viewer,
        bruteForce(people, follows, text, viewer),
      ]);
  }
  await expectDerived();
}, 600_000);

// The last of the file: each verification looks at all users.
test('a prefix keeps the best thousand, and others are found by their usernames', async () => {
  const many = MAX_USERS + 20;
  await server.store(
    Array.from({ length: many }, (_, n) =>
      person2(String(10_000 + n), `crowd${String(n).padStart(5, '0')}`, 'x'),
    ),
  );
  // The last one by name has followers, so it is among the best.
  const last = `crowd${String(many - 1).padStart(5, '0')}`;
  await follow('1', String(10_000 + many - 1));
  await idle();
  await trim(server.database, 'crow');
  const load = createLoad(server.database);
  expect(await load(usersByPrefix.count, { prefix: 'crow' })).toBeLessThanOrEqual(KEPT_USERS + 1);
  expect(await search('crowd', null, 2)).toEqual([last, 'crowd00000']);
  expect(await search('crowd00998', null)).toEqual(['crowd00998']);
  const beyond = 'crowd01100';
  expect(await search('crowd0110', null)).toEqual([]);
  expect(await search(beyond, null)).toEqual([beyond]);
  expect(await search('crowd0110', '11100')).toEqual([]);
  await follow('2', '11100');
  expect(await search('crowd0110', '2')).toEqual([beyond]);
  // Nobody who comes later and after the best is added, but who gets followers is.
  await put(server, 'service', 'createUser', { username: 'crowdz', name: 'x' });
  expect(await load(usersByPrefix.count, { prefix: 'crow' })).toBeLessThanOrEqual(KEPT_USERS + 1);
  await expectDerived();
});

/** Finds people as the description says, by other means: an own folding of these few letters, and every name looked at. */
function bruteForce(
  people: readonly { userId: string; username: string; name: string }[],
  follows: ReadonlySet<string>,
  text: string,
  viewer: string | null,
): string[] {
  const plain = (given: string) =>
    given.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/ł/g, 'l');
  const followers = (userId: string) => [...follows].filter((key) => key.endsWith(` ${userId}`)).length;
  const matches = (one: { username: string; name: string }) => {
    const name = plain(one.name);
    const begins = Array.from(name).some(
      (letter, at) =>
        name.startsWith(text, at) &&
        (at === 0 || /[ '-]/.test(name.charAt(at - 1)) || /\p{sc=Han}/u.test(letter)),
    );
    return begins || one.username.startsWith(text);
  };
  const tier = ({ userId, username }: { userId: string; username: string }) =>
    username === text
      ? 0
      : follows.has(`${String(viewer)} ${userId}`)
        ? 1
        : follows.has(`${userId} ${String(viewer)}`)
          ? 2
          : 3;
  return people
    .filter(matches)
    .map((one) => ({ ...one, tier: tier(one), magnitude: magnitudeOf(followers(one.userId)) }))
    .sort(
      (a, b) =>
        a.tier - b.tier ||
        (a.tier === 3 ? b.magnitude - a.magnitude : 0) ||
        (plain(a.name) < plain(b.name) ? -1 : plain(a.name) > plain(b.name) ? 1 : 0) ||
        Number(a.userId) - Number(b.userId),
    )
    .slice(0, 10)
    .map(({ username }) => username);
}
