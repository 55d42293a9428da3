import type { Feature } from '../feature';
import { tweetsByArea } from './map.table';
import { MapResolver } from './map.resolver';

/** Map: tables, resolvers. */
export const mapFeature: Feature = {
  title: 'Map',
  tables: [tweetsByArea],
  resolvers: [MapResolver],
};
