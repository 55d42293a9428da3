import { extractHashtagsWithIndices, extractMentions, type HashtagWithIndices } from 'twitter-text';
import { replaceUrls } from '../../tweet/urls';

/** The types of the library lack the options. Without them it looks for web addresses, in time that grows with the square of a run. */
const extractHashtags = extractHashtagsWithIndices as (
  text: string,
  options: { readonly checkUrlOverlap: boolean },
) => HashtagWithIndices[];

/** Stands for a web address: a hashtag that ends at `://`, or begins after a letter, is none. */
const URL_ENDS = '://x';

/** The hashtags in a text, by Twitter's rules: without the sign, as written, each spelling once, in order. */
export function hashtagsOf(text: string): string[] {
  if (!/[#＃]/.test(text)) return [];
  const found = extractHashtags(replaceUrls(text, URL_ENDS), { checkUrlOverlap: false });
  return [...new Set(found.map(({ hashtag }) => hashtag))];
}

/** The usernames that a text mentions, by Twitter's rules: without the sign, as written, each spelling once, in order. */
export function mentionsOf(text: string): string[] {
  return /[@＠]/.test(text) ? [...new Set(extractMentions(text))] : [];
}
