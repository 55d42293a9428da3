import type { GraphQLResponse } from '@apollo/server';
import { tooLarge } from '../base/errors';
import type { Pass } from '../reads/gate';

/** Text in which each character is one byte of JSON. */
const PLAIN = /^[ !#-[\]-~]*$/;

/**
 * Replaces an answer of more than `maxBytes` bytes of JSON by `QUERY_TOO_LARGE`, before the JSON is written: gigabytes of it
 * would crash the server.
 */
export function limitAnswer({ body, http }: GraphQLResponse, maxBytes: number, { closed }: Pass): void {
  if (body.kind !== 'single' || !isLargerThan(maxBytes, body.singleResult)) return;
  // After the deadline each unfinished field is an error, and these errors may be what makes the answer large.
  const { message, extensions } =
    closed ??
    tooLarge(
      `An answer may have ${maxBytes} bytes, but this one has more: ask for fewer fields or shorter pages.`,
    );
  const errors = [{ message, extensions: { code: extensions['code'] } }];
  body.singleResult = closed ? { errors, data: null } : { errors };
  if (!closed) http.status = 400;
}

/**
 * Whether a value has more than `maxBytes` bytes as JSON. Tries an upper bound first: most answers are so small that the exact
 * size of each character does not matter.
 */
export function isLargerThan(maxBytes: number, value: unknown): boolean {
  return jsonBytes(value, maxBytes, bytesAtMost) > maxBytes && jsonBytes(value, maxBytes) > maxBytes;
}

/** About how many characters a value has as JSON; if they are more than `max`, some number above `max`. */
export function countCharacters(value: unknown, max: number): number {
  return jsonBytes(value, max, (text) => text.length + 2);
}

/** Six bytes a character: a control character is written as an escape of six characters. */
function bytesAtMost(text: string): number {
  return text.length * 6 + 2;
}

function bytesExactly(text: string): number {
  return PLAIN.test(text) ? text.length + 2 : Buffer.byteLength(JSON.stringify(text));
}

/** How many bytes of UTF-8 a value has as JSON; if they are more than `maxBytes`, some number above `maxBytes`. */
export function jsonBytes(value: unknown, maxBytes: number, bytesOf = bytesExactly): number {
  switch (typeof value) {
    case 'string':
      return bytesOf(value);
    case 'number':
      return Number.isFinite(value) ? String(value).length : 4;
    case 'boolean':
      return value ? 4 : 5;
    case 'object':
      if (value === null) return 4;
      if (Array.isArray(value)) return bytesOfList(value, maxBytes, bytesOf);
      if ('toJSON' in value) return Buffer.byteLength(JSON.stringify(value));
      return bytesOfObject(value as Readonly<Record<string, unknown>>, maxBytes, bytesOf);
    default:
      return 4;
  }
}

function bytesOfList(list: readonly unknown[], maxBytes: number, bytesOf: typeof bytesExactly): number {
  let bytes = 1 + Math.max(1, list.length);
  for (const item of list) {
    bytes += jsonBytes(item, maxBytes - bytes, bytesOf);
    if (bytes > maxBytes) break;
  }
  return bytes;
}

function bytesOfObject(
  object: Readonly<Record<string, unknown>>,
  maxBytes: number,
  bytesOf: typeof bytesExactly,
): number {
  let bytes = 1;
  let isEmpty = true;
  for (const name in object) {
    const value = object[name];
    // JSON leaves out undefined properties.
    if (value === undefined) continue;
    isEmpty = false;
    // The quotes, a colon, and a comma or the closing brace.
    bytes += name.length + 4 + jsonBytes(value, maxBytes - bytes, bytesOf);
    if (bytes > maxBytes) break;
  }
  return isEmpty ? 2 : bytes;
}
