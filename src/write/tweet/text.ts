import { extractHashtagsWithIndices, extractMentions, type HashtagWithIndices } from 'twitter-text';
import { urlsIn } from '../../tweet/urls';

/** The types of the library lack the options. Without them it looks for web addresses, in time that grows with the square of a run. */
const extractHashtags = extractHashtagsWithIndices as (
  text: string,
  options: { readonly checkUrlOverlap: boolean },
) => HashtagWithIndices[];

/** The hashtags in a text, by Twitter's rules: without the sign, as written, each spelling once, in order. */
export function hashtagsOf(text: string): string[] {
  if (!/[#＃]/.test(text)) return [];
  const hashtags = extractHashtags(text, { checkUrlOverlap: false });
  const urls = urlsIn(text).map((indices) => ({ indices, hashtag: null }));
  const found = new Set<string>();
  // Of a hashtag and a web address that overlap, the first one counts.
  let end = 0;
  for (const { indices, hashtag } of [...hashtags, ...urls].sort((a, b) => a.indices[0] - b.indices[0])) {
    if (indices[0] < end) continue;
    end = indices[1];
    if (hashtag !== null) found.add(hashtag);
  }
  return [...found];
}

/** The usernames that a text mentions, by Twitter's rules: without the sign, as written, each spelling once, in order. */
export function mentionsOf(text: string): string[] {
  return /[@＠]/.test(text) ? [...new Set(extractMentions(text))] : [];
}
