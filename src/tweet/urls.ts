import { extractUrlsWithIndices } from 'twitter-text';

/** The most characters of a host name. Longer runs without a space are searched for web addresses in ASCII only. */
const MAX_HOST_CHARACTERS = 253;

/**
 * A text with `replacement` in place of each web address. The time to find them grows with the square of the length of a run
 * without spaces, so runs longer than a host name are searched in their ASCII stretches only.
 */
export function replaceUrls(text: string, replacement: string): string {
  if (!text.includes('.')) return text;
  const replace = (part: string) => replaceUrlsIn(part, replacement);
  return text.replace(/[^ \n\t]+/g, (run) =>
    run.length <= MAX_HOST_CHARACTERS ? replace(run) : run.replace(/[!-~]+/g, replace),
  );
}

function replaceUrlsIn(text: string, replacement: string): string {
  if (!text.includes('.')) return text;
  let kept = '';
  let from = 0;
  for (const { indices } of extractUrlsWithIndices(text)) {
    kept += text.slice(from, indices[0]) + replacement;
    from = indices[1];
  }
  return kept + text.slice(from);
}
