import { holding, id, idOf, int, ints, texts, timestamp } from '../../kit/cassandra/column';
import { cacheable } from '../../kit/cassandra/statement';
import { table } from '../../kit/cassandra/table';

/** How many accounts a ranking has at most. */
export const MAX_RANKED = 100;
const idsOfRanking = holding(texts(MAX_RANKED * id.maxBytes), 'User');
const scores = ints(MAX_RANKED);

/** Both rankings at a moment, which never change: ids, best first, and their scores. A partition is a month. */
export const rankings = table(
  'rankings',
  {
    bucket: int,
    takenAt: timestamp,
    accounts: idsOfRanking,
    accountScores: scores,
    followers: idsOfRanking,
    followerScores: scores,
  },
  {
    role: { kind: 'truth', why: 'it holds the rankings of past times, which cannot be computed again' },
    writeLoad: { rows: { ranking: 1 }, bytes: 6000, spread: { over: 'time', seconds: 31 * 86_400 } },
    partition: ['bucket'],
    clustering: ['takenAt'],
  },
);

/** Reads rankings to show them. The newest one is asked for again and again, and may be as it was a moment ago. */
export const cachedRankings = cacheable(rankings.page, { absence: true });

/** Scratch while rankings are taken: which follower follows which of the top accounts, by its index among them. */
export const rankingPairs = table(
  'ranking_pairs',
  { takenAt: timestamp, shard: int, followerId: idOf('User'), account: int },
  {
    role: { kind: 'transient', why: 'it is scratch space for rankings that are being taken' },
    writeLoad: {
      rows: { rankedFollower: 1 },
      bytes: 25,
      spread: { over: 'acts' },
      most: 20_000,
      keptSeconds: 86_400,
    },
    partition: ['takenAt', 'shard'],
    clustering: ['followerId', 'account'],
    order: 'asc',
  },
);
