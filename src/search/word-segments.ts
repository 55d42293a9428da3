// ICU finds words in the same way for every language, so the language of a text need not be known.
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** A piece of this many characters ends at the next certain word boundary. */
const MIN_PIECE_CHARACTERS = 200;
/** The most characters of a piece: the longest imported tweet has as many, so no tweet is cut within a word. */
const MAX_PIECE_CHARACTERS = 10_000;

/**
 * A certain word boundary (UAX #29): after a space, or after a sign that is part of no word, unless a mark, a joiner or
 * another space follows, which belongs to it.
 */
const END = /[ \n!#$%&()*+/<=>?@[\\\]^`{|}~、。-](?![\s\p{M}\p{Cf}\p{Emoji_Modifier}])/gu;

/**
 * The words of a text by Unicode's rules, with dictionaries for scripts without spaces. Each segment of `Intl.Segmenter`
 * carries a copy of its whole input. So a text is cut into pieces first, which makes the time linear in its length instead
 * of quadratic. Only a text of more than 10,000 characters without a space or sign may be cut within a word.
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
  // One character more than the longest piece, because a boundary depends on the character that follows.
  const ahead = text.slice(from, from + MAX_PIECE_CHARACTERS + 1);
  END.lastIndex = MIN_PIECE_CHARACTERS - 1;
  const end = END.exec(ahead);
  if (end !== null && end.index < MAX_PIECE_CHARACTERS) return from + end.index + 1;
  if (ahead.length <= MAX_PIECE_CHARACTERS) return text.length;
  const isBetweenSurrogates = /[\uDC00-\uDFFF]/.test(ahead.charAt(MAX_PIECE_CHARACTERS));
  return from + MAX_PIECE_CHARACTERS + (isBetweenSurrogates ? -1 : 0);
}
