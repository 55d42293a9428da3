/** V8 makes a longer part of a text a view of it, which keeps all of it in memory. */
const MAX_COPIED_CHARACTERS = 12;

/** A text that may be remembered although it is a part of a file: it does not keep the text around it in memory. */
export function copyOf(text: string): string {
  // A text that is not well formed is no part of a file: only JSON can write one, and makes a text of its own for that.
  return text.length <= MAX_COPIED_CHARACTERS || !text.isWellFormed() ? text : Buffer.from(text).toString();
}
