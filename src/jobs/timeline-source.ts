import { relationTo } from '../follow/relation';
import type { Write } from '../kit/cassandra/database';
import type { Row } from '../kit/cassandra/table';
import { createLoad, readMany } from '../kit/data/load';
import { buckets } from '../kit/data/buckets';
import { writeOf } from '../kit/data/write';
import { modeOf, pushedFollowersOf } from '../write/timeline/fan-out-mode';
import { isTimelineShard } from '../timeline/parts';
import { timelineInserterOf, readerOf, type Reader } from '../write/timeline/timeline-rows';
import { tweets } from '../tweet/tweet.table';
import type { Deriving, Source } from './sources';

type TweetRow = Row<typeof tweets>;

/**
 * The tweets, from which the rows in the timelines of followers are derived if the author's tweets are pushed. The text is
 * `<tweet id>` or `<tweet id> <reader id> <bucket>`. With a reader and a bucket it gives the row that may be there,
 * even if the author's mode has changed and readers now ignore that row.
 */
export const timelineSource: Source = {
  table: tweets,
  ask: (key) => String(key['tweetId']),
  async *given(deriving, asked) {
    const named = asked.map((one) => one.split(' '));
    const keys = named.map(([tweetId = '']) => ({ tweetId }));
    const found = await readMany(deriving.database, tweets.get, keys);
    const byAuthor = new Map<string, TweetRow[]>();
    for (const [index, tweet] of found.entries()) {
      const [, userId, bucket] = named[index] ?? [];
      if (tweet === null) continue;
      if (userId === undefined) {
        const ofAuthor = byAuthor.get(tweet.authorId);
        if (ofAuthor) ofAuthor.push(tweet);
        else byAuthor.set(tweet.authorId, [tweet]);
      } else {
        const relation = await relationTo(createLoad(deriving.database), userId, tweet.authorId);
        const parted = relation.parted && isTimelineShard(Number(bucket));
        if (relation.follows) yield timelineWrites(deriving, tweet, [{ ...relation, userId, parted }]);
      }
    }
    for (const [authorId, ofAuthor] of byAuthor) {
      const mode = await modeOf(deriving, authorId);
      if (mode.mode !== 'push') continue;
      for await (const page of pushedFollowersOf(deriving, authorId, mode))
        for (const tweet of ofAuthor) yield timelineWrites(deriving, tweet, page.map(readerOf));
    }
  },
};

/** The rows of a tweet in the timelines of some readers. */
async function timelineWrites(
  { retentionMonths }: Deriving,
  tweet: TweetRow,
  readers: readonly Reader[],
): Promise<Write[]> {
  const writes: Write[] = [];
  const collector = {
    async put(write: Write) {
      writes.push(write);
      return Promise.resolve();
    },
    putBucket: (list: string, owner: string, bucket: number) =>
      collector.put(writeOf(buckets, { list, owner, bucket })),
  };
  const insert = timelineInserterOf(tweet, retentionMonths);
  for (const reader of readers) if (!(await insert(collector, reader))) break;
  return writes;
}
