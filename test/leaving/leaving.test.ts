import { tables, writeFeatures } from '../../src/app';
import { readLeaving } from '../../src/features/account/account-deletion';
import { leavingUsers } from '../../src/features/account/account.table';
import { NO_SUBJECT, NotificationKind } from '../../src/features/notification/notification-kind';
import { suspensions } from '../../src/features/moderation/moderation.table';
import { findId } from '../../src/jobs/find-id';
import { isHeldIn } from '../../src/kit/base/ids';
import type { Write } from '../../src/kit/cassandra/database';
import { writeOf } from '../../src/kit/cassandra/write';
import { decodeNodeId } from '../../src/kit/graphql/global-id';
import { monthOf } from '../../src/kit/lists/buckets';
import type { HiddenChange } from '../../src/kit/reads/hidden-history';
import { watchHidden } from '../../src/kit/reads/watch-hidden';
import { putAll } from '../../src/kit/writes/row-writer';
import { partsInOrder } from '../../src/write/account/delete-account';
import { endFollowGroups, endGroupsOf } from '../../src/write/notification/end-groups';
import { recordNewest } from '../../src/write/notification/group';
import { notifyOfAct } from '../../src/write/notification/notify-group';
import type { WriteServices } from '../../src/write/write-services';
import { authorization, person, startHarness, type Harness } from '../support/harness';
import { subscribeToEvents } from '../live/subscriber';
import { act, ask, codesOf, post, put, type Person } from '../support/mutations';

let server: Harness;
const people = new Map<string, Person>();
const idOf = (name: string) => ({ id: people.get(name)?.id ?? '' });
const who = (name: string) => people.get(name)?.userId ?? '';

beforeAll(async () => {
  server = await startHarness();
  for (const username of ['ada', 'bo'])
    people.set(username, await put(server, 'service', 'createUser', { username, name: `The ${username}` }));
});

/** Lets somebody do all that a person can do, with somebody else. */
async function live(name: string, other: string): Promise<void> {
  await act(server, who(name), 'followUser', idOf(other));
  await act(server, who(other), 'followUser', idOf(name));
  const location = { latitude: 48, longitude: 16, country: 'Austria' };
  const own = await post(server, who(name), { content: `By ${name} #sun`, location, language: 'en' });
  const others = await post(server, who(other), { content: `By ${other} #sun`, quotes: own.id });
  await post(server, who(name), { content: 'A reply', inReplyTo: others.id });
  await post(server, who(other), { content: 'A reply', inReplyTo: own.id });
  for (const [by, id] of [
    [name, others.id],
    [other, own.id],
  ] as const) {
    await act(server, who(by), 'likeTweet', { id });
    await act(server, who(by), 'shareTweet', { id });
    const input = { title: `By ${by}`, body: 'A text' };
    const { article } = (await act(server, who(by), 'publishArticle', { input })) as {
      article: { id: string };
    };
    for (const commenter of [name, other])
      await act(server, who(commenter), 'addComment', {
        input: { articleId: article.id, body: 'A comment' },
      });
  }
  const { id } = await post(server, who(name), { content: 'Another' });
  await act(server, who(name), 'deleteTweet', { id });
  await server.writeServices.outbox.idle();
}

/** The tables in which an id is found, by whether only its own partitions were read. */
async function tablesWith(id: string): Promise<string[]> {
  const having: string[] = [];
  for await (const { table, rows } of findId(server.database, tables, { type: 'User', id }))
    if (rows > 0) having.push(table);
  return having;
}

/** The columns that have an id and do not say so, of all rows of all tables. */
async function undeclaredWith(id: string): Promise<string[]> {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(id));
  const having = new Set<string>();
  for (const { name, columns, rows } of tables)
    for await (const row of server.database.stream(rows.all, []))
      for (const [property, { ids }] of Object.entries(columns)) {
        const value = row[property];
        const holds = Buffer.isBuffer(value) ? value.includes(bytes) : isHeldIn(value, id);
        if (holds && !ids?.includes('User')) having.add(`${name}.${property}`);
      }
  return [...having];
}

test('the id of a person is found in every table that has it, and no other column has it', async () => {
  await live('ada', 'bo');
  expect(await undeclaredWith(who('ada'))).toEqual([]);
  expect(await tablesWith(who('ada'))).toEqual(
    expect.arrayContaining(['users', 'relations', 'followers_by_user', 'timelines_by_user', 'tallies']),
  );
});

/** Lets only one write of what comes after some writes be stored, and then nothing more, as if the process was killed. */
function killedAfter(writeServices: WriteServices, flushes: number, only: number): WriteServices {
  let flushed = 0;
  const bulk = () => {
    const real = writeServices.bulk();
    const waiting: Write[] = [];
    return {
      put: (write: Write) => Promise.resolve(void waiting.push(write)),
      putBucket: (list: string, owner: string, bucket: number) => real.putBucket(list, owner, bucket),
      async flush() {
        const isKilled = flushed++ === flushes;
        for (const [index, write] of waiting.splice(0).entries())
          if (!isKilled || index === only) await real.put(write);
        await real.flush();
        if (isKilled) throw new Error('killed');
      },
    };
  };
  return { ...writeServices, bulk };
}

/** Publishes an article, and resolves to its global id. */
async function publish(by: string): Promise<string> {
  const input = { title: 'An article', body: 'A text' };
  return ((await act(server, by, 'publishArticle', { input })) as { article: { id: string } }).article.id;
}

/** Adds a comment to an article, and resolves to its global id. */
async function comment(by: string, articleId: string): Promise<string> {
  const input = { articleId, body: 'A comment' };
  return ((await act(server, by, 'addComment', { input })) as { comment: { id: string } }).comment.id;
}

test('a comment or an article whose removal is killed after any of its writes is gone when that is taken up again', async () => {
  const { database, writeServices } = server;
  const names = ['comments_by_author', 'articles_by_user', 'notifications', 'news'];
  const parts = partsInOrder(writeFeatures).filter(({ name }) => names.includes(name));
  expect(parts).toHaveLength(names.length);
  const remove = async (services: WriteServices, userId: string) => {
    const leaver = { userId, issuer: null, subject: null };
    const removed: unknown[] = [];
    for (const part of parts) for await (const one of part.remove(services, leaver, '')) removed.push(one);
  };
  const wasKilled = (userId: string, flushes: number, only: number) =>
    remove(killedAfter(writeServices, flushes, only), userId).then(
      () => false,
      () => true,
    );
  const ids: string[] = [];
  for (let flushes = 0, isKilled = true; isKilled; flushes++)
    for (let only = 0; only < 3; only++) {
      // Nobody who leaves writes again, so each time it is somebody else.
      const userId = String(70_000 + flushes * 10 + only);
      await server.store([person(userId, `leaver${userId}`)]);
      const own = await publish(userId);
      ids.push(own, await comment(userId, await publish(who('bo'))), await comment(who('bo'), own));
      await writeServices.outbox.idle();
      isKilled = await wasKilled(userId, flushes, only);
      await remove(writeServices, userId);
    }
  for (const { type, id } of ids.map((id) => decodeNodeId(id)))
    for await (const { table, examples } of findId(database, tables, { type, id }))
      // What was taken back stays known to the count of an article that stays.
      if (table !== 'tallies') expect({ table, examples }).toEqual({ table, examples: [] });
});

test('what is changed after a change by a server whose clock was ahead is seen by all servers', async () => {
  const { database, writeServices } = server;
  const { leaving, suspensions: known } = writeServices;
  const tell = async (userId: string, changedAt: Date) => {
    const month = monthOf(changedAt);
    await putAll(writeServices.bulk(), [
      writeOf(leavingUsers, { month, changedAt, userId, startsAt: new Date(changedAt.getTime() + 1e9) }),
      writeOf(suspensions, { shard: 0, changedAt, userId, suspended: true }),
    ]);
    await Promise.all([leaving.look(), known.look()]);
    return leaving.isLeaving(userId) && known.isSuspended(userId);
  };
  const ahead = new Date(Date.now() + 600_000);
  expect(await tell('9001', ahead)).toBe(true);
  expect(await tell('9002', new Date())).toBe(true);
  // The last change of a user decides, so the next one must be later.
  expect(Number(known.timeOfChange('9001'))).toBeGreaterThan(Number(ahead));
  expect(database.clock.problem()).toBeNull();
});

test('changes of many months are read in the order of time, because the last one decides', async () => {
  const { database, writeServices } = server;
  const times = Array.from({ length: 12 }, (_, n) => new Date(Date.now() - (12 - n) * 30 * 86_400_000));
  const rows = times.map((changedAt, n) =>
    writeOf(leavingUsers, {
      month: monthOf(changedAt),
      changedAt,
      userId: '9101',
      startsAt: n % 2 === 0 ? changedAt : null,
    }),
  );
  await putAll(writeServices.bulk(), rows);
  const read: [Date, boolean][] = [];
  for await (const { userId, at, isHidden } of readLeaving(database))
    if (userId === '9101') read.push([at, isHidden]);
  expect(read).toEqual(times.map((at, n) => [at, n % 2 === 0]));
});

test('of a look that fails in the middle, the next one misses nothing', async () => {
  const changes: HiddenChange[] = [];
  let isFailing = false;
  async function* read(since: Date) {
    yield* await Promise.resolve(changes.filter(({ at }) => at >= since));
    if (isFailing) throw new Error('The database must answer, but does not');
  }
  const watch = await watchHidden(
    server.database,
    'tested',
    { read, apply: () => undefined },
    () => undefined,
  );
  const [longAgo, now] = [new Date(Date.now() - 3_600_000), new Date()];
  isFailing = true;
  changes.push({ userId: '9301', at: longAgo, isHidden: true }, { userId: '9302', at: now, isHidden: true });
  await expect(watch.look()).rejects.toThrow('does not');
  isFailing = false;
  await watch.look();
  watch.stop();
  expect(watch.hidden).toEqual(new Set(['9301', '9302']));
});

test('groups of notifications end with all their rows, and what is left of one is found', async () => {
  const { database, writeServices } = server;
  const [userId, tweetId] = ['9100', '9200'];
  const follows = { userId, kind: NotificationKind.FOLLOW as const, subjectId: NO_SUBJECT };
  const likes = { userId, kind: NotificationKind.LIKE as const, subjectId: tweetId };
  // The first group is closed by then.
  const longAgo = new Date(Date.now() - 13 * 3_600_000);
  for (const grouping of [follows, likes])
    for (const [actorId, since] of [['9101', longAgo] as const, ['9102', new Date()] as const]) {
      const act = { actorId, present: true, since, changedAt: since };
      await notifyOfAct(writeServices, { ...grouping, rootId: null }, act, { isRepeated: false });
    }
  const having = async (id: string) => (await tablesWith(id)).filter((name) => name.startsWith('notif'));
  expect(await having('9102')).toEqual(
    expect.arrayContaining(['notification_groups', 'notification_members']),
  );
  await endFollowGroups(writeServices, userId);
  await endGroupsOf(writeServices, { tweetId, authorId: userId });
  for (const id of [userId, '9101', '9102']) expect(await having(id)).toEqual([]);
  // This row has no id but that of the group.
  await recordNewest(database, { ...follows, userId: '9300' }, 1);
  expect(await having('9300')).toEqual(['notification_groups']);
});

test('once an account is to be deleted, its token counts for nothing, and its subscriptions end', async () => {
  const { userId } = await put(server, 'service', 'createUser', { username: 'kim', name: 'Kim' });
  const { id } = await post(server, who('bo'), { content: 'A tweet' });
  await act(server, userId, 'likeTweet', { id });
  const address = await server.listen();
  const open = await Promise.all(
    [
      'notificationReceived { cursor }',
      'timelineTweet { cursor }',
      'tweetPosted(words: ["pebble"]) { cursor }',
      `tweetChanged(id: "${id}") { likeCount }`,
    ].map((field) => subscribeToEvents(address, { query: `subscription { ${field} }`, who: userId })),
  );
  expect(await open[3]?.next()).toEqual({ data: { tweetChanged: { likeCount: 1 } } });
  await act(server, userId, 'deleteAccount', { confirm: 'kim' });
  for (const subscription of open) {
    await subscription.ended;
    expect(subscription.events.at(-1)?.errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  }
  const shown = `{ viewer { username } node(id: "${id}") { ... on Tweet { content viewerHasLiked } } }`;
  expect(await ask(server, shown, userId)).toEqual({
    viewer: { username: 'kim' },
    node: { content: 'A tweet', viewerHasLiked: false },
  });
  const input = { username: 'another', name: 'Kim' };
  expect(await codesOf(server, userId, 'createUser', { input })).toEqual(['FORBIDDEN']);
  await act(server, userId, 'cancelAccountDeletion', {});
  expect(await ask(server, shown, userId)).toMatchObject({ node: { viewerHasLiked: true } });
});

test('an export that has expired is neither shown nor given, although its rows stay for a while', async () => {
  const ADA = who('ada');
  const shown = async () =>
    (await ask(server, '{ viewer { accountExport { state path } } }', ADA)) as { viewer: object };
  const download = async () => {
    const headers = { authorization: await authorization(ADA) };
    return (await server.inject({ method: 'GET', url: '/export', headers })).statusCode;
  };
  await act(server, ADA, 'requestExport', {});
  await server.writeServices.outbox.idle();
  expect(await shown()).toEqual({ viewer: { accountExport: { state: 'COMPLETE', path: '/export' } } });
  expect(await download()).toBe(200);
  const expiring =
    "UPDATE account_exports SET expires_at = ? WHERE user_id = ? AND asked_by = 'user' IF EXISTS";
  await server.database.compareAndWrite([{ query: expiring, params: [new Date(Date.now() - 1000), ADA] }]);
  expect(await shown()).toEqual({ viewer: { accountExport: null } });
  expect(await download()).toBe(404);
});
