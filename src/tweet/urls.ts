import { extractUrlsWithIndices } from 'twitter-text';

/** The most characters of a host name. Longer runs without a space are searched for web addresses in ASCII only. */
const MAX_HOST_CHARACTERS = 253;

/** Where a web address begins and ends in a text, as indices of UTF-16 code units. */
type Indices = readonly [number, number];

/**
 * Finds the web addresses in a text, in order. The time to find them grows with the square of the length of a run without spaces,
 * so runs longer than a host name are searched in their ASCII stretches only.
 */
export function urlsIn(text: string): Indices[] {
  if (!text.includes('.')) return [];
  return [...text.matchAll(/[^ \n\t]+/g)].flatMap(({ 0: run, index }) =>
    run.length <= MAX_HOST_CHARACTERS
      ? urlsAt(run, index)
      : [...run.matchAll(/[!-~]+/g)].flatMap((part) => urlsAt(part[0], index + part.index)),
  );
}

function urlsAt(text: string, offset: number): Indices[] {
  if (!text.includes('.')) return [];
  return extractUrlsWithIndices(text).map(({ indices: [from, to] }) => [offset + from, offset + to]);
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
