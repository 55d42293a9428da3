import type { Feature } from '../feature';
import { ShareResolver } from './share.resolver';

/** Shares: tables, resolvers. */
export const shareFeature: Feature = {
  title: 'Shares',
  tables: [],
  resolvers: [ShareResolver],
};
