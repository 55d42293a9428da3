import { likesByTweet } from '../../src/features/like/like.lists';
import { writeOf } from '../../src/kit/cassandra/write';
import { bucketAssignerOf } from '../../src/kit/lists/bucket-assigner';
import { bucketsOfList, listBuckets } from '../../src/kit/lists/list-buckets';
import { removeList } from '../../src/kit/writes/remove-list';
import { createLoad } from '../../src/kit/reads/load';
import { putAll, type RowWriter } from '../../src/kit/writes/row-writer';
import { startHarness, type Harness } from '../support/harness';

let server: Harness;
beforeAll(async () => {
  // Partitions are full after a few rows.
  const lists = { fullRows: 12, rowsPerCheck: 3, effectiveMs: 0, trustedMs: 0, trustedForOldRowsMs: 0 };
  server = await startHarness({}, undefined, { lists });
});

const rowsIn = async (table: string) => (await server.database.run(`SELECT * FROM ${table}`)).length;

test('a split list of which some removals fail is removed as a whole by the next try', async () => {
  for (let n = 0; n < 40; n++) {
    const row = { tweetId: '1', likedAt: new Date(Date.UTC(2026, 0, 1) + n), userId: String(n) };
    await putAll(server.writeServices.bulk(), [writeOf(likesByTweet, row)]);
    await bucketAssignerOf(server.database).idle();
  }
  const buckets = await bucketsOfList(createLoad(server.database), likesByTweet, '1');
  expect(buckets.length).toBeGreaterThan(2);
  const bulk = server.writeServices.bulk();
  // What comes first is stored, and the last bucket is not.
  const failing: RowWriter = {
    ...bulk,
    async put(write) {
      if (write.params.includes(buckets.at(-1))) throw new Error('no answer');
      await bulk.put(write);
    },
  };
  await expect(removeList(server.database, failing, likesByTweet, '1')).rejects.toThrow('no answer');
  await bulk.flush();
  expect(await bucketsOfList(createLoad(server.database), likesByTweet, '1')).toEqual(buckets);
  await removeList(server.database, server.writeServices.bulk(), likesByTweet, '1');
  expect([await rowsIn(likesByTweet.name), await rowsIn(listBuckets.name)]).toEqual([0, 0]);
});
