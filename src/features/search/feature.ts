import type { Feature } from '../feature';
import { postingsTables } from '../../kit/postings/postings.table';
import { SearchResolver } from './search.resolver';

/** Search: tables, resolvers. */
export const searchFeature: Feature = {
  title: 'Search',
  tables: postingsTables,
  resolvers: [SearchResolver],
};
