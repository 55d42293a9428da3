import { indexesJob } from '../../src/jobs/indexes';
import { encodeOrdinals } from '../../src/kit/postings/ordinals';
import { postings } from '../../src/kit/postings/postings.table';
import type { Row } from '../../src/kit/cassandra/table';
import { writeOf } from '../../src/kit/cassandra/write';
import type { Harness } from '../support/harness';
import { startStory } from './story';

let server: Harness;
beforeAll(async () => {
  ({ server } = await startStory());
});

const context = () => ({ database: server.database, retentionMonths: null });
const right = { missing: 0, surplus: 0, different: 0, examples: [] };

async function found(order: string): Promise<unknown> {
  const { data } = await server.query(
    `{ searchTweets(words: ["tweet"], order: ${order}) { nodes { tweetId } } hashtag(name: "time") { tweets { nodes { tweetId } } } }`,
  );
  return data;
}

test('missing and surplus entries of an index are reported, and a rebuild repairs them while the server answers', async () => {
  const { database } = server;
  const before = [await found('NEWEST'), await found('MOST_LIKED')];
  expect(await indexesJob.verify(context(), 1000)).toMatchObject(right);
  const rows: Row<typeof postings>[] = [];
  for await (const row of database.stream(postings.rows.all, [])) rows.push(row as Row<typeof postings>);
  const lost = rows.filter(({ term, list }) => term === 'tweet' && list === 'tweets');
  const [example] = lost;
  if (example === undefined) throw new Error('There must be postings.');
  for (const { shard, list, term } of lost)
    await database.run('DELETE FROM postings WHERE shard = ? AND list = ? AND volume = 0 AND term = ?', [
      shard,
      list,
      term,
    ]);
  const surplus = writeOf(postings, { ...example, term: 'nowhere', ordinals: encodeOrdinals([0]) });
  await database.write(surplus.query, surplus.params);
  const damaged = await indexesJob.verify(context(), 1000);
  expect(damaged.missing).toBeGreaterThan(0);
  expect(damaged.surplus).toBe(1);
  await indexesJob.rebuild(context(), () => undefined);
  expect(await indexesJob.verify(context(), 1000)).toMatchObject(right);
  expect([await found('NEWEST'), await found('MOST_LIKED')]).toEqual(before);
});
