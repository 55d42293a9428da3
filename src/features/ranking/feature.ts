import type { Feature } from '../feature';
import { topUsers } from '../user/user.table';
import { rankingPairs, rankings } from './ranking.table';
import { RankingResolver } from './ranking.resolver';

/** Rankings: tables, resolvers. */
export const rankingFeature: Feature = {
  title: 'Rankings',
  tables: [rankings, rankingPairs, topUsers],
  resolvers: [RankingResolver],
};
