import { extractUrlsWithIndices } from 'twitter-text';
import { SPACED_LETTER, UNSPACED_LETTER } from './language';

/** The most characters of a host name. */
const MAX_HOST_CHARACTERS = 253;

/** The beginning and the end of a web address in a text, as indices of UTF-16 code units. */
type Indices = readonly [number, number];

/**
 * Matches the characters that may follow the host: no spaces, quotes or brackets of texts, and no letters of scripts without spaces, which
 * begin the next word.
 */
const TAIL = String.raw`[^[\s\p{Z}"<>«»“”„‘’「」『』（）【】、。，！？：；…＃＠]${UNSPACED_LETTER}]*`;
/** A host may be of any script, but its end must then be seen. */
const HOST = String.raw`(?:[^\s\p{Z}\/?#"<>«»“”「」『』（）【】、。，！？…]+(?=[\/?#\s]|$))?`;

/** An address with a scheme, with `www.`, or of a host with a path. The third has the name of its host as a group. */
const ADDRESS = new RegExp(
  [
    String.raw`(?<![A-Za-z0-9+.\-])[A-Za-z][A-Za-z0-9+.\-]*:\/\/${HOST}${TAIL}`,
    String.raw`(?<!${SPACED_LETTER})[Ww][Ww][Ww]\.${HOST}${TAIL}`,
    String.raw`(?<!${SPACED_LETTER}|[@.\-\/])((?:${SPACED_LETTER}[${SPACED_LETTER}\-]*\.)+${SPACED_LETTER}{2,})(?::\d+)?\/${TAIL}`,
  ].join('|'),
  'gv',
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
  for (const { 0: address, 1: host, index } of text.matchAll(ADDRESS))
    if (host === undefined || isHost(host)) found.push([index, index + address.length]);
  return found;
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
  let kept = '';
  let end = 0;
  for (const [from, to] of urlsIn(text)) {
    kept += `${text.slice(end, from)} `;
    end = to;
  }
  return kept + text.slice(end);
}
