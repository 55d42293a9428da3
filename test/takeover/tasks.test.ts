import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { createOutbox } from '../../src/kit/work/outbox';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { taskHandlers, writeFeatures } from '../../src/app';
import { likeHandler } from '../../src/write/like/set-liked';
import { encodePosted } from '../../src/write/tweet/post-tweet';
import { readMode } from '../../src/write/timeline/fan-out-mode';
import { follow, type Harness, person, startHarness, tweet } from '../support/harness';
import { act, plain, post } from '../support/mutations';
import { settled } from '../support/settled';
import { intend, leave, server } from './leaving';

test('what a server that lives has under way is left to it', async () => {
  const living = await startHarness({}, server);
  const posted = { ...plain, tweetId: '12345', authorId: '1', content: 'gone', createdAt: new Date() };
  await intend(living.writeServices, 'post', encodePosted(posted));
  await leave((writeServices) => intend(writeServices, 'like', { tweetId: '100', userId: '5' }));
  const kinds = async () => (await server.writeServices.outbox.pending()).map(({ kind }) => kind).sort();
  expect(await kinds()).toEqual(['like', 'post']);
  while ((await kinds()).length > 1) await sleep(100);
  expect(await kinds()).toEqual(['post']);
  // Its tweet is deleted: nothing is left to do when the server ends.
  await server.database.write('INSERT INTO deleted_tweets (tweet_id, author_id) VALUES (12345, 1)', []);
  await living.close();
  await settled(server);
});

test('a task that is written long after it was planned is found, though its window was closed meanwhile', async () => {
  await settled(server);
  await leave(async ({ database, outbox }) => {
    const prepared = await outbox.prepareTask('like', { tweetId: '100', userId: '5' });
    await database.write('DELETE FROM outbox_windows WHERE shard = 0 AND window = ?', [prepared.task.window]);
    const createdAt = new Date(Date.now() - 31_000);
    await outbox.enqueue({ ...prepared, task: { ...prepared.task, createdAt } });
  });
  expect(await server.writeServices.outbox.pending()).toMatchObject([{ kind: 'like' }]);
  await settled(server);
});

test('a failure to look for tasks of other servers is logged once, and so is its end', async () => {
  const told: unknown[] = [];
  const stream = { write: (line: string) => told.push((JSON.parse(line) as { msg: string }).msg) };
  await leave(async ({ worker }) => {
    let failed = 0;
    const others = () => (++failed > 3 ? worker.others() : Promise.reject(new Error('away')));
    const outbox = createOutbox(server.database, { ...worker, others }, pino({ level: 'info' }, stream));
    outbox.start({});
    while (told.length < 2) await sleep(100);
    await outbox.stop();
    expect(failed).toBeGreaterThan(3);
  });
  expect(told).toEqual([
    'cannot look for tasks of other servers',
    'can look for tasks of other servers again',
  ]);
});

test('a task that no handler runs is not enqueued; one that another server left is logged once, and stays', async () => {
  const told: unknown[] = [];
  const stream = { write: (line: string) => told.push((JSON.parse(line) as { msg: string }).msg) };
  await leave(async ({ worker }) => {
    const outbox = createOutbox(server.database, worker, pino({ level: 'error' }, stream));
    const { task } = await outbox.prepareTask('unheard', {});
    outbox.start({});
    await expect(outbox.prepareTask('unheard', {})).rejects.toThrow(
      'No handler runs tasks of the kind unheard.',
    );
    for (let n = 0; n < 3; n++) {
      outbox.runInBackground(task);
      await outbox.idle();
    }
    await outbox.stop();
  });
  expect(told).toEqual(['no handler runs tasks of this kind']);
});

test('two features cannot have tasks of one kind', () => {
  const both = [...writeFeatures, { mutations: [], derived: [], tasks: { like: likeHandler } }];
  expect(() => taskHandlers(server.writeServices, both)).toThrow('Two features have tasks of the kind like');
});

test('a change of mode that a killed import left is ended, unless a server is at work on it', async () => {
  const change = (authorId: string) =>
    server.database.write("INSERT INTO fanout_modes (author_id, mode, version) VALUES (?, 'toPull', 1)", [
      authorId,
    ]);
  const afterPosting = async (authorId: string) => {
    await post(server, authorId, { content: 'by one whose mode changes' });
    await server.writeServices.outbox.idle();
    return (await readMode(server.writeServices, authorId)).mode;
  };
  await change('3');
  expect(await afterPosting('3')).toBe('push');
  await change('4');
  const living = await startHarness({}, server, { held: true });
  await intend(living.writeServices, 'mode', { authorId: '4' });
  for (let n = 0; n < 2; n++) expect(await afterPosting('4')).toBe('toPull');
  await living.close();
  await settled(server);
  expect((await readMode(server.writeServices, '4')).mode).toBe('push');
});

describe('with a retention', () => {
  let keeping: Harness;
  beforeAll(async () => {
    keeping = await startHarness({ TIMELINE_RETENTION_MONTHS: '2' }, server);
  });
  afterAll(() => keeping.close());

  const DAY = 86_400_000;
  const monthsAfter = (moment: Date, listBuckets: number) => {
    const after = new Date(moment);
    after.setUTCDate(1);
    after.setUTCMonth(after.getUTCMonth() + listBuckets + 1, 0);
    after.setUTCDate(Math.min(after.getUTCDate(), moment.getUTCDate()));
    return after;
  };

  test('rows of timelines expire so many months after the tweet, however they came there', async () => {
    const since = Date.now();
    const daysAgo = (days: number) => new Date(since - days * DAY);
    const imported = [
      ['2000', 1],
      ['2001', 40],
      ['2002', 70],
    ] as const;
    await keeping.store([
      person('21', 'author'),
      person('22', 'early'),
      person('23', 'late'),
      follow('22', '21'),
      ...imported.map(([id, days]) => tweet(id, '21', 0, { createdAt: daysAgo(days) })),
    ]);
    await post(keeping, '21', { content: 'posted' });
    await keeping.writeServices.outbox.idle();
    await act(keeping, '23', 'followUser', { id: encodeNodeId('User', '21') });
    await keeping.writeServices.outbox.idle();
    for (const reader of [22, 23]) {
      const rows = (await server.database.read(
        'SELECT content, created_at AS at, TTL(content) AS left FROM timelines_by_user WHERE user_id = ? AND bucket = 0',
        [String(reader)],
      )) as readonly { content: string; at: Date; left: number }[];
      expect(rows.map(({ content }) => content).sort()).toEqual(['posted', 'tweet 2000', 'tweet 2001']);
      for (const { at, left } of rows) {
        // Written between the beginning of this test and now, with whole seconds that count from then.
        const expires = Number(monthsAfter(at, 2));
        expect(left * 1000).toBeLessThanOrEqual(expires - since + 1000);
        expect(left * 1000).toBeGreaterThanOrEqual(expires - Date.now() - 2000);
      }
    }
  });
});
