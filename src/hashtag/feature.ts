import type { Feature } from '../feature';
import { topTweetsByHashtag, tweetsByHashtag } from '../search/term.table';
import { hashtagsByHour } from './hashtag.table';
import { HashtagResolver } from './hashtag.resolver';

/** Hashtags: tables, resolvers. */
export const hashtag: Feature = {
  title: 'Hashtags',
  tables: [tweetsByHashtag, topTweetsByHashtag, hashtagsByHour],
  resolvers: [HashtagResolver],
};
