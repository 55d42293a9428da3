/**
 * Folds a word for comparison: NFKC, without case, marks and characters that are not shown; ı becomes i and ß becomes ss. A key
 * has at most 64 code points.
 */
export function foldedBy(text: string): string {
  const wide = text
    .normalize('NFKC')
    .replaceAll('’', "'")
    .toLowerCase()
    .replaceAll('ı', 'i')
    .replaceAll('ß', 'ss')
    .replaceAll('ς', 'σ')
    .replaceAll('ſ', 's');
  const bare = wide
    .normalize('NFD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]+/gu, '')
    .normalize('NFKC');
  return Array.from(bare).slice(0, 64).join('');
}

const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** The terms of a searched text: #tag and @name are one term, other texts are segmented into words by Unicode's rules. */
export function termsIn(word: string): string[] {
  const signed = /^[#@]([\p{L}\p{M}\p{N}_]+)$/u.exec(word);
  if (signed?.[1] !== undefined) return [foldedBy(signed[1])];
  // U+200B parts words.
  const shown = Array.from(word.normalize('NFKC'))
    .filter((character) => character === '\u200B' || !/\p{Default_Ignorable_Code_Point}/u.test(character))
    .join('');
  return [...segmenter.segment(shown)].flatMap(({ segment, isWordLike }) =>
    isWordLike ? foldedBy(segment) : [],
  );
}
