import { extractHashtags, extractMentions } from 'twitter-text';

/** The hashtags in a text, by Twitter's rules: without the sign, as written, each spelling once, in order. */
export function hashtagsOf(text: string): string[] {
  return /[#＃]/.test(text) ? [...new Set(extractHashtags(text))] : [];
}

/** The usernames that a text mentions, by Twitter's rules: without the sign, as written, each spelling once, in order. */
export function mentionsOf(text: string): string[] {
  return /[@＠]/.test(text) ? [...new Set(extractMentions(text))] : [];
}
