/** A word as semantics.md has words compared: NFKC, case and marks aside; ı is i. A key's length is bounded. */
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
    .replace(/\p{M}+/gu, '')
    .normalize('NFKC');
  return Array.from(bare).slice(0, 64).join('');
}

const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** What a word asked for is looked for by: a name with sign is one, other words are what Unicode takes for words. */
export function termsIn(word: string): string[] {
  const signed = /^[#@]([\p{L}\p{M}\p{N}_]+)$/u.exec(word);
  if (signed?.[1] !== undefined) return [foldedBy(signed[1])];
  return [...segmenter.segment(word.normalize('NFKC'))].flatMap(({ segment, isWordLike }) =>
    isWordLike ? foldedBy(segment) : [],
  );
}
