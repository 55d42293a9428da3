import { createBulkWriter } from '../kit/writes/bulk';
import type { Database } from '../kit/cassandra/database';
import { tweetLinks } from '../features/tweet/tweet.table';
import { createLinksCheck, repairLinks } from '../write/thread/repair-links';
import { readLinks, type TweetLinks } from '../write/thread/roots';
import type { Job } from './job';
import { requireNoImport } from './rebuild';
import { passWrites } from './recount';
import { readSample } from './sample';

/** How many tweets are compared at a time. */
const TWEETS_AT_ONCE = 500;
const MAX_EXAMPLES = 3;

/**
 * The job of what each tweet says of others: where its conversation begins, which follows from what it replies to, and whose tweet it
 * shares. Nothing else of a tweet is derived.
 */
export const linksJob: Job = {
  name: tweetLinks.name,
  async rebuild({ database }, onProgress) {
    const rebuilt = { looked: 0, written: 0, removed: 0, refused: 0 };
    await requireNoImport(database);
    const check = createLinksCheck(database);
    const writer = createBulkWriter(database)();
    for await (const stored of allLinks(database)) {
      const wrong = await check(stored);
      await repairLinks(database, writer, wrong);
      rebuilt.looked += stored.length;
      rebuilt.written += wrong.length;
      onProgress(rebuilt);
    }
    return rebuilt;
  },
  async verify({ database }, size) {
    const sample = await readSample(database, tweetLinks.keys, size);
    const check = async (tweetIds: readonly string[]) =>
      createLinksCheck(database)([...(await readLinks(database, tweetIds)).values()]);
    const suspects = await check(sample.map(({ tweetId }) => String(tweetId)));
    if (suspects.length > 0) {
      await passWrites(database);
      await requireNoImport(database);
    }
    const wrong = await check(suspects.map(({ stored }) => stored.tweetId));
    return {
      ...{ looked: sample.length, missing: 0, surplus: 0, different: wrong.length },
      examples: wrong.slice(0, MAX_EXAMPLES).map(({ stored }) => `different: tweetId ${stored.tweetId}`),
    };
  },
};

/** What all tweets say of others, some at a time. */
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
