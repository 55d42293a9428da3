import { createBulkWriter } from '../kit/writes/bulk';
import type { Database } from '../kit/cassandra/database';
import { readMany } from '../kit/reads/load';
import type { RowWriter } from '../kit/writes/row-writer';
import { tweetLinks, tweets } from '../features/tweet/tweet.table';
import { finalTime } from '../write/final-time';
import { createLinksCheck, repairLinks } from '../write/thread/repair-links';
import { readLinks, whileInvalidated, type TweetLinks } from '../write/thread/roots';
import { deletedAmong, removeReturned } from '../write/tweet/returned';
import type { Job } from './job';
import { passWrites } from './recount';
import { requireNoImport } from './require-no-import';
import { readSample } from './sample';

/** How many tweets are compared at a time. */
const TWEETS_AT_ONCE = 500;
const MAX_EXAMPLES = 3;

/**
 * The job that checks what other rows tell of tweets: the root of each conversation, which follows from the tweet that is replied to, the
 * author of a shared tweet, and deletions: a deleted tweet must not be there. A node that was away for longer than `gc_grace_seconds`, or
 * an old backup, may bring it back.
 */
export const linksJob: Job = {
  name: tweetLinks.name,
  async rebuild({ database }, onProgress) {
    const rebuilt = { looked: 0, written: 0, removed: 0, refused: 0 };
    await requireNoImport(database);
    const check = createLinksCheck(database);
    const writer = createBulkWriter(database)();
    for await (const stored of allLinks(database)) {
      const { returned, others } = await splitReturned(database, stored);
      if (returned.length > 0) rebuilt.removed += await removeAllReturned(database, writer, returned);
      const wrong = await check(others);
      await repairLinks(database, writer, wrong);
      rebuilt.looked += stored.length;
      rebuilt.written += wrong.length;
      onProgress(rebuilt);
    }
    return rebuilt;
  },
  async verify({ database }, size) {
    const sample = await readSample(database, tweetLinks.keys, size);
    const check = async (tweetIds: readonly string[]) => {
      const links = [...(await readLinks(database, tweetIds)).values()];
      const { returned, others } = await splitReturned(database, links);
      const wrong = (await createLinksCheck(database)(others)).map(({ stored }) => stored);
      return { returned, wrong };
    };
    let { returned, wrong } = await check(sample.map(({ tweetId }) => String(tweetId)));
    if (returned.length + wrong.length > 0) {
      await passWrites(database);
      ({ returned, wrong } = await check([...returned, ...wrong].map(({ tweetId }) => tweetId)));
    }
    const examples = [
      ...returned.map(({ tweetId }) => `surplus: tweetId ${tweetId}`),
      ...wrong.map(({ tweetId }) => `different: tweetId ${tweetId}`),
    ];
    return {
      ...{ looked: sample.length, missing: 0, surplus: returned.length, different: wrong.length },
      examples: examples.slice(0, MAX_EXAMPLES),
    };
  },
};

/** Divides some tweets into those that were deleted, and the others. */
async function splitReturned(database: Database, stored: readonly TweetLinks[]) {
  const deleted = await deletedAmong(
    database,
    stored.map(({ tweetId }) => tweetId),
  );
  return {
    returned: stored.filter(({ tweetId }) => deleted.has(tweetId)),
    others: stored.filter(({ tweetId }) => !deleted.has(tweetId)),
  };
}

/** Removes those of some tweets that were deleted and are still there when the deletions under way are done. Resolves to how many these were. */
async function removeAllReturned(
  database: Database,
  writer: RowWriter,
  suspects: readonly TweetLinks[],
): Promise<number> {
  await passWrites(database);
  const keys = suspects.map(({ tweetId }) => ({ tweetId }));
  const returned = (await readMany(database, tweets.get, keys)).filter((tweet) => tweet !== null);
  await whileInvalidated(
    database,
    returned.map(({ tweetId }) => tweetId),
    async () => {
      for (const tweet of returned) await removeReturned(writer, tweet, finalTime(tweet.createdAt));
      await writer.flush();
    },
  );
  return returned.length;
}

/** Yields the links of all tweets to others, some at a time. */
async function* allLinks(database: Database): AsyncIterable<TweetLinks[]> {
  let chunk: string[] = [];
  const read = async () => [...(await readLinks(database, chunk)).values()];
  for await (const { tweetId } of database.stream(tweetLinks.keys.all, [])) {
    chunk.push(String(tweetId));
    if (chunk.length < TWEETS_AT_ONCE) continue;
    yield await read();
    chunk = [];
  }
  yield await read();
}
