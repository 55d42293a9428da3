import type { Feature } from '../feature';
import { usersByIdentity } from './viewer.table';
import { ViewerResolver } from './viewer.resolver';

/** Identities: tables, resolvers. */
export const viewerFeature: Feature = {
  title: 'Identities',
  tables: [usersByIdentity],
  resolvers: [ViewerResolver],
};
