import { extractHashtags, extractMentions } from 'twitter-text';

/** The hashtags of a tweet by Twitter's own rules: without sign, as written, each writing once, in order. */
export function hashtagsOf(text: string): string[] {
  return /[#＃]/.test(text) ? [...new Set(extractHashtags(text))] : [];
}

/** The usernames that a tweet mentions, by Twitter's own rules: without sign, as written, each writing once, in order. */
export function mentionsOf(text: string): string[] {
  return /[@＠]/.test(text) ? [...new Set(extractMentions(text))] : [];
}
