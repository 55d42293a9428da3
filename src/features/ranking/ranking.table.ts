import { id, int, ints, texts, timestamp } from '../../kit/cassandra/column';
import { cacheable } from '../../kit/cassandra/statement';
import { table } from '../../kit/cassandra/table';

/** Both rankings at a moment, which never change: ids, best first, and their scores. A partition is a month. */
export const rankings = table(
  'rankings',
  {
    bucket: int,
    takenAt: timestamp,
    accounts: texts,
    accountScores: ints,
    followers: texts,
    followerScores: ints,
  },
  { partition: ['bucket'], clustering: ['takenAt'] },
);

/** Reads rankings to show them. The newest one is asked for again and again, and may be as it was a moment ago. */
export const cachedRankings = cacheable(rankings.page, { absence: true });

/** Scratch while rankings are taken: which follower follows which of the top accounts, by its index among them. */
export const rankingPairs = table(
  'ranking_pairs',
  { takenAt: timestamp, shard: int, followerId: id, account: int },
  { partition: ['takenAt', 'shard'], clustering: ['followerId', 'account'], order: 'asc' },
);
