import type { Feature } from '../feature';
import { topTweetsByWord, tweetsByWord } from './term.table';
import { SearchResolver } from './search.resolver';

/** Search: tables, resolvers. */
export const search: Feature = {
  title: 'Search',
  tables: [tweetsByWord, topTweetsByWord],
  resolvers: [SearchResolver],
};
