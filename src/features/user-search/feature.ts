import type { Feature } from '../feature';
import { UserSearchResolver } from './user-search.resolver';
import { followeesByName, userSearchEntries, usersByPrefix } from './user-search.table';

/** Finding people by the start of a name: tables, resolver. */
export const userSearchFeature: Feature = {
  title: 'Finding people',
  tables: [usersByPrefix, userSearchEntries, followeesByName],
  resolvers: [UserSearchResolver],
};
