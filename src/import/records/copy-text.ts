/** V8 copies shorter parts of a text itself. A longer one is a view of it, which keeps all of it in memory. */
const SHORTEST_VIEW_CHARACTERS = 13;

/** A text that may be remembered although it is a part of a file: it does not keep the text around it in memory. */
export function copyText(text: string): string {
  // A text that is not well formed is no part of a file: only JSON can write one, and makes a text of its own for that.
  return text.length < SHORTEST_VIEW_CHARACTERS || !text.isWellFormed() ? text : Buffer.from(text).toString();
}
