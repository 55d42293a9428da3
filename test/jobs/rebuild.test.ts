import { jobs, derivationSources } from '../../src/jobs/all';
import { groupId } from '../../src/features/notification/group-id';
import { NotificationKind } from '../../src/features/notification/notification-kind';
import type { AnyTable } from '../../src/kit/cassandra/table';
import { tallyShardOf } from '../../src/kit/work/tally';
import type { Job } from '../../src/jobs/job';
import { tables } from '../../src/app';
import type { Harness } from '../harness';
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
const later = ['notifications_by_user', 'profiles_by_username', 'buckets', 'timelines_by_user', 'top_users'];
/** Indexes are rebuilt as a whole: see `indexes.test.ts`. Of tweets only what they say of others follows from those. */
const whole = ['postings', 'tweets', 'notification_groups'];
const steps = [
  jobs.filter(({ name }) => ![...summed, ...later, ...whole].includes(name)),
  ...later.map((name) => jobs.filter((job) => job.name === name)),
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
