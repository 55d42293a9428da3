import { extractUrlsWithIndices } from 'twitter-text';
import { SPACED_LETTER, UNSPACED_LETTER } from './language';

/** The most characters of a host name. */
const MAX_HOST_CHARACTERS = 253;

/** The beginning and the end of a web address in a text, as indices of UTF-16 code units. */
type Indices = readonly [number, number];

/** Matches the beginning of an address: a scheme, `www.`, or the name of a host, which is a group, with a slash behind it. */
const BEGINNING = new RegExp(
  [
    String.raw`(?<![A-Za-z0-9+.\-])[A-Za-z][A-Za-z0-9+.\-]*:\/\/`,
    String.raw`(?<!${SPACED_LETTER})[Ww][Ww][Ww]\.`,
    String.raw`(?<!${SPACED_LETTER}|[@.\-\/])((?:${SPACED_LETTER}[${SPACED_LETTER}\-]*\.)+${SPACED_LETTER}{2,})(?::\d+)?\/`,
  ].join('|'),
  'gv',
);
/** A host may be of any script, but its end must then be seen. */
const HOST = /[^\s\p{Z}\/?#"<>«»“”「」『』（）【】、。，！？…]*/vy;
const BEHIND_HOST = /^[\/?#\s]?$/;
/** Matches the characters that may follow the host: no spaces, quotes or brackets of texts, and no letters of scripts without spaces, which begin the next word. */
const TAIL = new RegExp(
  String.raw`[^[\s\p{Z}"<>«»“”„‘’「」『』（）【】、。，！？：；…＃＠]${UNSPACED_LETTER}]*`,
  'vy',
);

/** Whether a text may have an address: most have none. */
const MAY_HAVE = /\/|www\./i;

/**
 * Finds the web addresses in a text, in order: what has a scheme or `www.` before it, or a path behind the name of a host. `Thanks.Next`
 * is two words, although `next` is a domain. The names of domains are those that twitter-text knows.
 */
export function urlsIn(text: string): Indices[] {
  if (!MAY_HAVE.test(text)) return [];
  const found: Indices[] = [];
  let hostEnd = 0;
  BEGINNING.lastIndex = 0;
  for (let begins = BEGINNING.exec(text); begins !== null; begins = BEGINNING.exec(text)) {
    const { 1: host, index } = begins;
    let end = BEGINNING.lastIndex;
    if (host === undefined) {
      // Of several beginnings in one run of characters, only the first one looks for its end.
      if (end > hostEnd) hostEnd = endOf(HOST, text, end);
      if (BEHIND_HOST.test(text.charAt(hostEnd))) end = hostEnd;
    }
    end = endOf(TAIL, text, end);
    if (host === undefined || isHost(host)) found.push([index, end]);
    BEGINNING.lastIndex = end;
  }
  return found;
}

/** Returns the end of what a pattern matches at a place, which may be nothing. */
function endOf(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  pattern.test(text);
  return pattern.lastIndex;
}

function isHost(given: string): boolean {
  if (given.length > MAX_HOST_CHARACTERS) return false;
  // The library takes ι with a mark behind it for a letter of domains, but no composed one.
  const name = given.normalize('NFC');
  const [url] = extractUrlsWithIndices(name);
  return url?.indices[0] === 0 && url.indices[1] === name.length;
}

/** A text with a space in place of each web address. */
export function withoutUrls(text: string): string {
  return replaceUrls(text, () => ' ');
}

/** A text with spaces in place of its web addresses, which are as long as these are. */
export function blankUrls(text: string): string {
  return replaceUrls(text, (length) => ' '.repeat(length));
}

function replaceUrls(text: string, by: (length: number) => string): string {
  let kept = '';
  let end = 0;
  for (const [from, to] of urlsIn(text)) {
    kept += text.slice(end, from) + by(to - from);
    end = to;
  }
  return kept + text.slice(end);
}
