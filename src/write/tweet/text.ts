import { extractHashtagsWithIndices, type HashtagWithIndices } from 'twitter-text';
import { cutIn } from '../../features/tweet/cut';
import { SPACED_LETTER } from '../../features/tweet/language';
import { urlsIn } from '../../features/tweet/urls';
import { MAX_USERNAME_CHARACTERS } from '../../features/user/user.table';

/** The most hashtags of a tweet, and the most mentions. Further ones stay text. */
const MAX_HASHTAGS = 30;
const MAX_MENTIONS = 30;

/** The types of the library lack the options. Without them it looks for web addresses, in time that grows with the square of a run. */
const extractHashtags = extractHashtagsWithIndices as (
  text: string,
  options: { readonly checkUrlOverlap: boolean },
) => HashtagWithIndices[];

/** A name in a text, and where it begins and ends, with its sign, as indices of UTF-16 code units. */
interface Named {
  readonly name: string | null;
  readonly from: number;
  readonly to: number;
}

/**
 * The hashtags in a text, by Twitter's rules: without the sign, as written, each spelling once, in order, at most 30. One in which the
 * text was cut is none.
 */
export function findHashtags(text: string): string[] {
  if (!/[#＃]/.test(text)) return [];
  const hashtags = extractHashtags(text, { checkUrlOverlap: false });
  return namesIn(
    text,
    hashtags.map(({ indices: [from, to], hashtag }) => ({ name: hashtag, from, to })),
    MAX_HASHTAGS,
  );
}

/**
 * A username after its sign. It is whole: no letter of a script with spaces, no sign of another kind of name (`@ada@example.com`) and no
 * scheme of an address goes on behind it. Before it there is neither such a letter, as in an e-mail address, nor a sign; but `RT` may be.
 */
const MENTION = new RegExp(
  String.raw`(?:(?<![${SPACED_LETTER}!#$%&*@＠])|(?<=(?:^|[^\w+~.\-])[Rr][Tt]))[@＠]([A-Za-z0-9_]+)(?!${SPACED_LETTER}|[@＠]|:\/\/)`,
  'gv',
);

/**
 * The usernames that a text mentions: without the sign, as written, each spelling once, in order, at most 30. A mention is a whole username,
 * however long. One in which the text was cut, or in a web address, is none.
 */
export function findMentions(text: string): string[] {
  if (!/[@＠]/.test(text)) return [];
  const mentions: Named[] = [];
  for (const {
    0: { length },
    1: name = '',
    index,
  } of text.matchAll(MENTION))
    if (name.length <= MAX_USERNAME_CHARACTERS) mentions.push({ name, from: index, to: index + length });
  return namesIn(text, mentions, MAX_MENTIONS);
}

/**
 * Returns the names that are neither cut nor in an address, each once, at most `max`. If a name and an address overlap, the first one
 * counts.
 */
function namesIn(text: string, names: readonly Named[], max: number): string[] {
  const cut = cutIn(text);
  const urls = urlsIn(text).map(([from, to]): Named => ({ name: null, from, to }));
  const found = new Set<string>();
  let end = 0;
  for (const { name, from, to } of [...names, ...urls].sort((a, b) => a.from - b.from)) {
    if (from < end) continue;
    end = to;
    if (name !== null && to !== cut && found.size < max) found.add(name);
  }
  return [...found];
}
