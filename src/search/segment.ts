// Which language a text is in changes nothing in how ICU finds its words.
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** Characters of a piece from which on it ends at the next place where words end for sure. */
const MIN_PIECE_CHARACTERS = 200;
/** The most characters of a piece: as many as the longest imported tweet has, so that none is cut between words that belong together. */
const MAX_PIECE_CHARACTERS = 10_000;

/**
 * Where words end for sure (UAX #29): behind a space, or a sign that is part of no word, unless a mark, joiner or
 * another space follows, which belongs to it.
 */
const END = /[ \n!#$%&()*+/<=>?@[\\\]^`{|}~、。-](?![\s\p{M}\p{Cf}\p{Emoji_Modifier}])/gu;

/**
 * The words of a text by Unicode's rules, with dictionaries for scripts without spaces. Each segment that
 * `Intl.Segmenter` gives carries a copy of all that it was given, so a text is cut into pieces first: the time grows
 * with its length and not with the square of it. Only a text of more than 10,000 characters without a space or sign is
 * cut where a word may be.
 */
export function* wordSegments(text: string): Iterable<string> {
  for (let from = 0; from < text.length;) {
    const to = endOfPiece(text, from);
    for (const { segment, isWordLike } of segmenter.segment(text.slice(from, to)))
      if (isWordLike) yield segment;
    from = to;
  }
}

function endOfPiece(text: string, from: number): number {
  if (text.length - from <= MIN_PIECE_CHARACTERS) return text.length;
  // One character beyond the longest piece: whether that ends depends on what follows.
  const ahead = text.slice(from, from + MAX_PIECE_CHARACTERS + 1);
  END.lastIndex = MIN_PIECE_CHARACTERS - 1;
  const end = END.exec(ahead);
  if (end !== null && end.index < MAX_PIECE_CHARACTERS) return from + end.index + 1;
  if (ahead.length <= MAX_PIECE_CHARACTERS) return text.length;
  const isBetweenSurrogates = /[\uDC00-\uDFFF]/.test(ahead.charAt(MAX_PIECE_CHARACTERS));
  return from + MAX_PIECE_CHARACTERS + (isBetweenSurrogates ? -1 : 0);
}
