import type { Feature } from '../feature';
import { hashtagsByHour } from './hashtag.table';
import { HashtagResolver } from './hashtag.resolver';

/** Hashtags: tables, resolvers. */
export const hashtag: Feature = {
  title: 'Hashtags',
  tables: [hashtagsByHour],
  resolvers: [HashtagResolver],
};
