import { relationTo } from '../../features/follow/relation';
import type { Write } from '../../kit/cassandra/database';
import { createLoad, readMany } from '../../kit/reads/load';
import { secondsLeft } from '../../features/timeline/retention';
import { timelinesByUser } from '../../features/timeline/timeline.lists';
import { tweets, type TweetRow } from '../../features/tweet/tweet.table';
import {
  joinProperties,
  type DerivationOptions,
  type DerivationSource,
  type DerivedTable,
} from '../derived-table';
import { isNewTweet } from '../../features/tweet/new-tweet';
import { readMode, readPushedFollowers } from './fan-out-mode';
import { timelineReader, createTimelineInserter, type TimelineReader } from './timeline-rows';

/**
 * The tweets, from which the rows in the timelines of followers are derived if the author's tweets are pushed. The source key is
 * `<tweet id>` or `<tweet id> <reader id>`. With a reader it gives the row that may be there, even if the author's mode has
 * changed and readers now ignore that row.
 */
const timelineSource: DerivationSource = {
  table: tweets,
  keyOf: (key) => String(key['tweetId']),
  async *writesOf(context, sourceKeys) {
    const named = sourceKeys.map((one) => one.split(' '));
    const keys = named.map(([tweetId = '']) => ({ tweetId }));
    const found = await readMany(context.database, tweets.get, keys);
    const byAuthor = new Map<string, TweetRow[]>();
    for (const [index, tweet] of found.entries()) {
      const [, userId] = named[index] ?? [];
      if (tweet === null) continue;
      if (userId === undefined) {
        const ofAuthor = byAuthor.get(tweet.authorId);
        if (ofAuthor) ofAuthor.push(tweet);
        else byAuthor.set(tweet.authorId, [tweet]);
      } else {
        const relation = await relationTo(createLoad(context.database), userId, tweet.authorId);
        if (relation.follows) yield timelineWrites(context, tweet, [{ ...relation, userId }]);
      }
    }
    for (const [authorId, ofAuthor] of byAuthor) {
      const mode = await readMode(context, authorId);
      if (mode.mode !== 'push') continue;
      for await (const page of readPushedFollowers(context, authorId, mode))
        for (const tweet of ofAuthor) yield timelineWrites(context, tweet, page.map(timelineReader));
    }
  },
};

/** The rows of a tweet in the timelines of some readers. */
async function timelineWrites(
  { retentionMonths }: DerivationOptions,
  tweet: TweetRow,
  readers: readonly TimelineReader[],
): Promise<Write[]> {
  const writes: Write[] = [];
  const collector = {
    async put(write: Write) {
      writes.push(write);
      return Promise.resolve();
    },
  };
  const insert = createTimelineInserter(tweet, retentionMonths);
  for (const reader of readers) if (!(await insert(collector, reader))) break;
  return writes;
}

/** The timelines of followers to whom tweets are pushed. */
export const timelineTable: DerivedTable = {
  table: timelinesByUser,
  sources: [timelineSource],
  sourceKeyOf: (row) => joinProperties(row, 'tweetId', 'userId'),
  ignoredColumns: ['isMerged'],
  isTransient: ({ retentionMonths }, row) =>
    isNewTweet(row) || secondsLeft(row['createdAt'] as Date, retentionMonths) === null,
};
