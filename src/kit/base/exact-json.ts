/** A text, or a number, of a JSON document: the parts between which a number may stand. */
const TEXT_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/**
 * Matches every text for which `JSON.parse` may not be exact. Others are parsed by `JSON.parse`, which is twenty times as fast.
 */
const MAY_BE_INEXACT = /\d{16}|\d[eE]/;

/**
 * Parses a JSON text. Integers beyond 2^53, and numbers beyond what JavaScript has, are strings of their digits. Everything else is as
 * `JSON.parse` has it, which makes texts that take no more memory than their characters.
 */
export function parseExactly(json: string): unknown {
  if (!MAY_BE_INEXACT.test(json)) return JSON.parse(json);
  return JSON.parse(json.replace(TEXT_OR_NUMBER, (part) => (isExact(part) ? part : `"${part}"`)));
}

function isExact(part: string): boolean {
  if (part.startsWith('"')) return true;
  const number = Number(part);
  return /^-?\d+$/.test(part) ? Number.isSafeInteger(number) : Number.isFinite(number);
}
