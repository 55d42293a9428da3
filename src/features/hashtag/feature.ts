import type { Feature } from '../feature';
import { hashtagsByHour } from './hashtag.table';
import { HashtagResolver } from './hashtag.resolver';

/** Hashtags: tables, resolvers. */
export const hashtagFeature: Feature = {
  title: 'Hashtags',
  tables: [hashtagsByHour],
  resolvers: [HashtagResolver],
};
