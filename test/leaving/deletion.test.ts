import { setTimeout as sleep } from 'node:timers/promises';
import { tables } from '../../src/app';
import { accountDeletions, deletionReceipts } from '../../src/features/account/account.table';
import { engagementsByUser } from '../../src/features/tweet/engagement.table';
import { receiptOf } from '../../src/features/account/receipt';
import { findId, keepingIds } from '../../src/jobs/find-id';
import { jobs } from '../../src/jobs/all';
import { recount } from '../../src/jobs/recount';
import { writeOf } from '../../src/kit/cassandra/write';
import { createLoad } from '../../src/kit/reads/load';
import { finalTime } from '../../src/write/final-time';
import { startDueDeletions } from '../../src/write/account/delete-account';
import { person, startHarness, type Harness } from '../support/harness';
import { isLong } from '../support/long';
import { act, ask, codesOf, post, put, send, type Person } from '../support/mutations';
import { createNetwork } from './network';

/** How many random things people do: some in the suite, many with `npm run test:long`. */
const ACTS = isLong ? 10_000 : 120;
jest.setTimeout(isLong ? 3_600_000 : 600_000);

let server: Harness;
let waiting: Harness;

beforeAll(async () => {
  server = await startHarness({ ACCOUNT_DELETION_DAYS: '0', FANOUT_PUSH_LIMIT: '4' });
  waiting = await startHarness({}, server);
});

const create = (username: string): Promise<Person> =>
  put(server, 'service', 'createUser', { username, name: `The ${username}` });

/** Asks for the deletion of an account, and resolves to when it starts. */
async function leave(on: Harness, { userId, username }: Person): Promise<Date> {
  const { accountDeletion } = (await act(on, userId, 'deleteAccount', { confirm: username })) as {
    accountDeletion: { startsAt: string };
  };
  return new Date(accountDeletion.startsAt);
}

/** Waits until the deletions of some people are complete. */
async function gone(people: readonly Person[], startsAt: Date): Promise<void> {
  await sleep(Math.max(0, Number(startsAt) - Date.now()));
  const read = ({ userId }: Person) => createLoad(server.database)(accountDeletions.get, { userId });
  const isDone = async () => (await Promise.all(people.map(read))).every((deletion) => deletion === null);
  for (let round = 0; round < 100 && !(await isDone()); round++) {
    await startDueDeletions(server.writeServices);
    await server.writeServices.outbox.idle();
  }
  expect(await isDone()).toBe(true);
}

/** The tables that still have the id of a person, but for those that keep it for a reason. */
async function leftOf({ userId }: Person): Promise<string[]> {
  const left: string[] = [];
  for await (const { table, examples } of findId(server.database, tables, { type: 'User', id: userId }))
    if (examples.length > 0 && keepingIds[table] === undefined) left.push(`${table}: ${examples.join('; ')}`);
  return left;
}

test('nothing is left of ten people of a random network, and every count and list of the others is exact', async () => {
  let seed = 7;
  const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
  const network = await createNetwork(server, 14, random, 'person');
  await network.live(ACTS);
  const leaving = network.people.slice(0, 10);
  const others = network.people.slice(10);
  let startsAt = new Date(0);
  for (const one of leaving) startsAt = await leave(server, one);
  // At once, long before anything is removed.
  for (const { username, userId } of leaving) {
    expect(await ask(server, `{ user(username: "${username}") { name } }`)).toEqual({ user: null });
    expect(await codesOf(server, userId, 'createTweet', { input: { content: 'More' } })).toEqual([
      'FORBIDDEN',
    ]);
  }
  await gone(leaving, startsAt);
  for (const one of leaving) expect(await leftOf(one)).toEqual([]);
  const wrong = [];
  for await (const difference of recount(server.database, () => undefined)) wrong.push(difference);
  expect(wrong).toEqual([]);
  expect(await found()).toEqual([]);
  // The receipt says what was removed, the username stays reserved, and the others can go on.
  for (const { userId, username } of leaving) {
    const receipt = await createLoad(server.database)(deletionReceipts.get, { receipt: receiptOf(userId) });
    expect(JSON.parse(receipt?.counts ?? '{}')).toMatchObject({
      users: 1,
      tweets_by_author: expect.any(Number) as number,
    });
    expect(await codesOf(server, 'service', 'createUser', { input: { username, name: 'Another' } })).toEqual([
      'CONFLICT',
    ]);
  }
  const [first] = leaving;
  const imported = person('9001', first?.username ?? '');
  expect((await server.store([imported])).get(0)).toMatch(/username/);
  for (const { userId } of others) await post(server, userId, { content: 'Still here' });
});

/** What the jobs find wrong, by their names. */
async function found(): Promise<string[]> {
  const wrong: string[] = [];
  for (const job of jobs) {
    const { missing, surplus, different, examples } = await job.verify(
      { database: server.database, retentionMonths: null },
      1000,
    );
    if (missing + surplus + different > 0)
      wrong.push(`${job.name}: ${missing} ${surplus} ${different} ${examples.join('; ')}`);
  }
  return wrong;
}

describe('mentions of somebody who leaves', () => {
  const contentOf = (when: string, { username }: Person) => `@${username} ${when}`;
  /** Posts a mention, a reply with a mention, and a mention in another case. */
  const mention = async (by: Person, of: Person, when: string) => {
    const { id } = await post(server, by.userId, { content: contentOf(when, of) });
    await post(server, by.userId, { content: contentOf(`${when} again`, of), inReplyTo: id });
    await post(server, by.userId, { content: contentOf(`${when} louder`, of).toUpperCase() });
    await server.writeServices.outbox.idle();
  };
  const mentionsBy = async ({ username }: Person) => {
    const source = `{ user(username: "${username}") { tweets { nodes { content mentions } } } }`;
    const { user } = (await ask(server, source, 'service')) as {
      user: { tweets: { nodes: { content: string; mentions: string[] }[] } };
    };
    return user.tweets.nodes;
  };
  const linked = ({ username }: Person) => ask(server, `{ user(username: "${username}") { username } }`);

  test('link again when the account comes back, and nothing is missing', async () => {
    const [ivo, jan] = [await create('ivo'), await create('jan')];
    await mention(jan, ivo, 'before');
    const told = () =>
      ask(
        server,
        '{ viewer { unreadNotifications { count } notifications { nodes { kind tweet { content } } } } }',
        ivo.userId,
      );
    const before = await told();
    await leave(waiting, ivo);
    await server.writeServices.leaving.look();
    await mention(jan, ivo, 'meanwhile');
    expect(await linked(ivo)).toEqual({ user: null });
    await act(waiting, ivo.userId, 'cancelAccountDeletion', {});
    await server.writeServices.leaving.look();
    expect(await linked(ivo)).toEqual({ user: { username: 'ivo' } });
    expect(await linked({ ...ivo, username: 'IVO' })).toEqual({ user: { username: 'ivo' } });
    const mentions = await mentionsBy(jan);
    expect(mentions).toHaveLength(6);
    for (const { content, mentions: names } of mentions)
      expect([content, names]).toEqual([content, [content.startsWith('@i') ? 'ivo' : 'IVO']]);
    // Nobody who is hidden is told of anything.
    expect(await told()).toEqual(before);
    expect(await found()).toEqual([]);
    await mention(jan, ivo, 'after');
    const { viewer } = (await told()) as { viewer: { unreadNotifications: { count: number } } };
    expect(viewer.unreadNotifications.count).toBe(6);
    expect(await found()).toEqual([]);
  });

  test('remain as text when the account is gone, and lead to nobody', async () => {
    const [kit, lou] = [await create('kit'), await create('lou')];
    await mention(lou, kit, 'before');
    const startsAt = await leave(server, kit);
    await mention(lou, kit, 'meanwhile');
    await gone([kit], startsAt);
    await mention(lou, kit, 'after');
    expect(await linked(kit)).toEqual({ user: null });
    expect((await mentionsBy(lou)).map(({ mentions }) => mentions)).toEqual(
      ['KIT', 'kit', 'kit', 'KIT', 'kit', 'kit', 'KIT', 'kit', 'kit'].map((name) => [name]),
    );
    expect(await codesOf(server, 'service', 'createUser', { input: { username: 'Kit', name: 'H' } })).toEqual(
      ['CONFLICT'],
    );
    expect(await leftOf(kit)).toEqual([]);
    expect(await found()).toEqual([]);
  });
});

test('until it starts, a deletion can be taken back: all is shown again, and the account may act again', async () => {
  const [ada, bo] = [await create('ada'), await create('bo')];
  const tweet = await post(server, ada.userId, { content: 'Mine' });
  await act(server, bo.userId, 'followUser', { id: ada.id });
  const shown = '{ user(username: "ada") { name followerCount tweets { nodes { content } } } }';
  const before = await ask(server, shown);
  expect(await codesOf(waiting, ada.userId, 'deleteAccount', { confirm: 'bo' })).toEqual(['BAD_USER_INPUT']);
  const startsAt = await leave(waiting, ada);
  expect(Number(startsAt) - Date.now()).toBeGreaterThan(13.9 * 86_400_000);
  // Asking again changes nothing.
  expect(await leave(waiting, ada)).toEqual(startsAt);
  await server.writeServices.leaving.look();
  expect(await ask(server, shown)).toEqual({ user: null });
  const own = '{ viewer { username accountDeletion { startsAt } } }';
  expect(await ask(server, own, ada.userId)).toEqual({
    viewer: { username: 'ada', accountDeletion: { startsAt: startsAt.toISOString() } },
  });
  expect(await codesOf(server, bo.userId, 'likeTweet', { id: tweet.id })).toEqual(['NOT_FOUND']);
  const { errors } = await server.query('{ viewer { timeline { nodes { content } } } }', {}, ada.userId);
  expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  await startDueDeletions(server.writeServices);
  expect(await act(waiting, ada.userId, 'cancelAccountDeletion', {})).toEqual({
    user: { username: 'ada', accountDeletion: null },
  });
  await server.writeServices.leaving.look();
  expect(await ask(server, shown)).toEqual(before);
  await post(server, ada.userId, { content: 'Back again' });
  // Without a deletion it changes nothing.
  await act(server, ada.userId, 'cancelAccountDeletion', {});
});

test('a deletion that has begun cannot be taken back, and asking for that does not let it begin again', async () => {
  const uma = await create('uma');
  await leave(waiting, uma);
  const begin = "UPDATE account_deletions SET state = 'started' WHERE user_id = ? IF EXISTS";
  expect(await server.database.compareAndWrite([{ query: begin, params: [uma.userId] }])).toBe(true);
  const changedAt = async () => {
    const deletion = await createLoad(server.database)(accountDeletions.get, { userId: uma.userId });
    return deletion?.changedAt;
  };
  const before = await changedAt();
  expect(await codesOf(waiting, uma.userId, 'cancelAccountDeletion', {})).toEqual(['CONFLICT']);
  // A server that was interrupted in the middle of an earlier call.
  await waiting.writeServices.outbox.leaveToTask('leaving', { userId: uma.userId });
  await waiting.writeServices.outbox.idle();
  expect(before).toBeInstanceOf(Date);
  expect(await changedAt()).toEqual(before);
});

test('a suspension and a deletion do not undo each other', async () => {
  const cy = await create('cy');
  const shown = async () =>
    (await ask(server, '{ user(username: "cy") { name } }')) as { user: object | null };
  const moderate = (name: 'suspendUser' | 'unsuspendUser') =>
    act(server, 'service', name, { id: cy.id, reason: 'A test' });
  await moderate('suspendUser');
  await leave(waiting, cy);
  await server.writeServices.leaving.look();
  await moderate('unsuspendUser');
  expect(await shown()).toEqual({ user: null });
  await moderate('suspendUser');
  await act(waiting, cy.userId, 'cancelAccountDeletion', {});
  await server.writeServices.leaving.look();
  expect(await shown()).toEqual({ user: null });
  await moderate('unsuspendUser');
  expect((await shown()).user).not.toBeNull();
});

test('what a person does, and others do with it, while it leaves is removed, too', async () => {
  const [hal, ivy] = [await create('hal'), await create('ivy')];
  const tweet = await post(server, ivy.userId, { content: 'A tweet' });
  // The other server does not know yet that hal leaves.
  const [startsAt] = await Promise.all([
    leave(server, hal),
    ...[server, waiting].flatMap((on) => [
      send(on, hal.userId, 'createTweet', { input: { content: 'At the last moment', inReplyTo: tweet.id } }),
      send(on, hal.userId, 'likeTweet', { id: tweet.id }),
      send(on, hal.userId, 'shareTweet', { id: tweet.id }),
      send(on, hal.userId, 'followUser', { id: ivy.id }),
      send(on, ivy.userId, 'followUser', { id: hal.id }),
    ]),
  ]);
  // The last removal must take the place of those before it, of which Cassandra reads only so many, and these are stamped ahead.
  const row = { userId: hal.userId, tweetId: tweet.tweetId, shareId: tweet.tweetId };
  const { query, params } = writeOf(engagementsByUser, row, { at: finalTime(new Date()) });
  await server.database.write(query, params);
  await gone([hal], startsAt);
  expect(await leftOf(hal)).toEqual([]);
  const counts =
    '{ user(username: "ivy") { followerCount followingCount tweets { nodes { likeCount shareCount replyCount } } } }';
  expect(await ask(server, counts)).toEqual({
    user: {
      ...{ followerCount: 0, followingCount: 0 },
      tweets: { nodes: [{ likeCount: 0, shareCount: 0, replyCount: 0 }] },
    },
  });
});

test('of a cancellation and the start of a deletion, one wins', async () => {
  const people = await Promise.all(['dee', 'eve', 'fay', 'gus'].map(create));
  let startsAt = new Date();
  for (const person of people) startsAt = await leave(server, person);
  await sleep(Number(startsAt) - Date.now());
  const [, ...answers] = await Promise.all([
    startDueDeletions(server.writeServices),
    ...people.map(({ userId }) => send(server, userId, 'cancelAccountDeletion', {})),
  ]);
  await server.writeServices.outbox.idle();
  const cancelled = people.filter((_, index) => answers[index]?.errors.length === 0);
  const lost = people.filter((person) => !cancelled.includes(person));
  await gone(lost, startsAt);
  for (const person of lost) expect(await leftOf(person)).toEqual([]);
  for (const { username } of cancelled)
    expect(await ask(server, `{ user(username: "${username}") { username } }`)).toEqual({
      user: { username },
    });
});
