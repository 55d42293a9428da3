import { jobs, derivationSources } from '../../src/jobs/all';
import { groupId } from '../../src/features/notification/group-id';
import { NotificationKind } from '../../src/features/notification/notification-kind';
import type { AnyTable } from '../../src/kit/cassandra/table';
import { tallyShardOf } from '../../src/kit/work/tally';
import type { Job } from '../../src/jobs/job';
import { tables } from '../../src/app';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { person, tweet, type Harness } from '../support/harness';
import { act, ask } from '../support/mutations';
import { runCommand } from '../support/run-command';
import { damage, dump } from './damage';
import { startStory } from './story';

let server: Harness;
beforeAll(async () => {
  ({ server } = await startStory());
});
afterAll(() => server.close());

const context = () => ({
  database: server.database,
  retentionMonths: null,
});
const verify = (job: Job) => job.verify(context(), 1000);
const rebuild = (job: Job) => job.rebuild(context(), () => undefined);
const right = { missing: 0, surplus: 0, different: 0, examples: [] };

function tableOf({ name }: Job): AnyTable {
  const table: AnyTable | undefined = tables.find((one) => one.name === name);
  if (table === undefined) throw new Error(`${name} must be a table`);
  return table;
}

/** Counts are shown as sums: which part of them an act wrote is no matter. */
const summed = ['user_counts', 'tweet_counts', 'tweet_frequency'];
/** What is derived from other tables comes after those: jobs of one step can be done at once. */
const later = [
  ['notifications_by_user', 'profiles_by_username', 'top_users'],
  ['buckets'],
  ['timelines_by_user'],
];
/** Indexes are rebuilt as a whole: see `indexes.test.ts`. Of tweets only what they say of others follows from those. */
const whole = ['postings', 'tweets', 'notification_groups'];
const steps = [
  jobs.filter(({ name }) => ![...summed, ...later.flat(), ...whole].includes(name)),
  ...later.map((names) => jobs.filter(({ name }) => names.includes(name))),
];

test('every table is derived from others, or named as a source with a reason', () => {
  const known = [...jobs.map(({ name }) => name), ...Object.keys(derivationSources)];
  expect(known.sort()).toEqual(tables.map(({ name }) => name).sort());
});

test('nothing differs of what imports and acts have made', async () => {
  const found = await Promise.all(jobs.map(async (job) => [job.name, await verify(job)] as const));
  for (const [name, verified] of found) expect([name, verified]).toMatchObject([name, right]);
});

test.each(steps.map((step, place) => [place, step] as const))(
  'what was deleted, altered and inserted is reported, and rebuilt row by row (step %i)',
  async (_, step) => {
    const before = await Promise.all(step.map((job) => dump(server, tableOf(job))));
    const damages = await Promise.all(step.map((job) => damage(server, tableOf(job))));
    const found = await Promise.all(step.map(verify));
    step.forEach(({ name }, place) => {
      expect([name, found[place]]).toMatchObject([name, damages[place]]);
    });
    await Promise.all(step.map(rebuild));
    const after = await Promise.all(step.map((job) => dump(server, tableOf(job))));
    step.forEach(({ name }, place) => {
      expect([name, after[place]]).toEqual([name, before[place]]);
    });
    const again = await Promise.all(step.map(verify));
    step.forEach(({ name }, place) => {
      expect([name, again[place]]).toMatchObject([name, right]);
    });
  },
);

test('a group of notifications is rebuilt from the acts, whichever of its rows is lost', async () => {
  const [job] = jobs.filter(({ name }) => name === 'notification_groups');
  if (job === undefined) throw new Error('there must be such a job');
  const list = jobs.filter(({ name }) => name === 'notifications_by_user');
  const told = async () =>
    (await server.query('{ user(username: "bo") { notifications { nodes { text actorCount } } } }')).data;
  const before = await told();
  expect(JSON.stringify(before)).toContain('likes your tweet');
  const rows = await server.database.run(
    'SELECT CAST(group_id AS text) AS id, section, at, CAST(actor_id AS text) AS actor FROM notification_groups',
  );
  for (const { id, section, at, actor } of rows) {
    const where = 'group_id = ? AND section = ? AND at = ? AND actor_id = ?';
    await server.database.run(`DELETE FROM notification_groups WHERE ${where}`, [id, section, at, actor]);
    await rebuild(job);
    expect(await verify(job)).toMatchObject(right);
  }
  for (const one of list) await rebuild(one);
  expect(await told()).toEqual(before);
});

test('acts are rebuilt into groups of 12 hours, whatever order their table has', async () => {
  const [job] = jobs.filter(({ name }) => name === 'notification_groups');
  if (job === undefined) throw new Error('there must be such a job');
  const hours = [40, 0, 52.5, 1, 41, 11];
  const begun = Date.UTC(2026, 0, 1);
  for (const [index, hour] of hours.entries()) {
    const [member, since] = [String(1000 + index), new Date(begun + hour * 3_600_000)];
    await server.database.run(
      "UPDATE tallies SET present = true, since = ?, at = ? WHERE owner = 104 AND shard = ? AND member = ? AND list = 'likes'",
      [since, since, tallyShardOf(member), member],
    );
  }
  await rebuild(job);
  const grouping = { userId: '4', kind: NotificationKind.LIKE as const, subjectId: '104' };
  const groups: number[][] = [];
  for (let number = 0; number < hours.length; number++) {
    const rows = await server.database.run(
      'SELECT at FROM notification_groups WHERE group_id = ? AND section = 1',
      [groupId(grouping, number)],
    );
    groups.push(rows.map(({ at }) => (Number(at) - begun) / 3_600_000));
  }
  expect(groups).toEqual([[11, 1, 0], [41, 40], [52.5], [], [], []]);
  expect(await verify(job)).toMatchObject(right);
});

test('the command says which table of how many it rebuilds', async () => {
  const settings = { ...process.env, CASSANDRA_KEYSPACE: server.config.cassandra.keyspace };
  const { status, said } = await runCommand(settings, 'rebuild', 'profiles_by_username', 'top_users');
  expect([status, said]).toEqual([0, expect.stringMatching(/^profiles_by_username \(1 of 2\): 100% \| /m)]);
  expect(said).toMatch(/^top_users \(2 of 2\): 100% \| /m);
});

test('a deleted tweet that is there again is reported, and removed from its lists, too', async () => {
  const [job] = jobs.filter(({ name }) => name === 'tweets');
  if (job === undefined) throw new Error('there must be such a job');
  await server.store([person('77001', 'once'), tweet('990', '77001', 1), tweet('991', '77001', 1)]);
  const stored = 'SELECT JSON * FROM tweets WHERE tweet_id = 990';
  const listed =
    'SELECT JSON * FROM tweets_by_author WHERE author_id = 77001 AND bucket = 0 AND tweet_id = 990';
  const [row] = await server.database.run(stored);
  const [inList] = await server.database.run(listed);
  await act(server, '77001', 'deleteTweet', { id: encodeNodeId('Tweet', '990') });
  await server.writeServices.outbox.idle();
  // As if the deletion had been forgotten: later than that, which is of an hour ahead.
  const at = (Date.now() + 3_600_000) * 1000;
  const back = (table: string, json: unknown) =>
    server.database.run(`INSERT INTO ${table} JSON ? USING TIMESTAMP ${at}`, [json]);
  await Promise.all([back('tweets', row?.['[json]']), back('tweets_by_author', inList?.['[json]'])]);
  const shown = async () =>
    JSON.stringify(await ask(server, '{ user(username: "once") { tweets { nodes { tweetId } } } }'));
  expect(await shown()).toContain('990');
  expect(await verify(job)).toMatchObject({ ...right, surplus: 1, examples: ['surplus: tweetId 990'] });
  expect(await rebuild(job)).toMatchObject({ removed: 1 });
  expect(await verify(job)).toMatchObject(right);
  expect(await shown()).not.toContain('990');
  expect(await shown()).toContain('991');
});
