import type { GraphQLResponse } from '@apollo/server';
import { tooLarge } from '../base/errors';
import type { Pass } from '../data/gate';

/** Text of which each character is one byte of JSON. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** Replaces an answer of more bytes of JSON by `QUERY_TOO_LARGE`, before it is made: one of gigabytes would end the server. */
export function limitAnswer({ body, http }: GraphQLResponse, most: number, { closed }: Pass): void {
  if (body.kind !== 'single' || !isLarger(body.singleResult, most)) return;
  // Past the deadline each field that is not done is an error: what is large may be these.
  const { message, extensions } =
    closed ??
    tooLarge(
      `An answer may have ${most} bytes, but this one has more: ask for fewer fields or shorter pages.`,
    );
  const errors = [{ message, extensions: { code: extensions['code'] } }];
  body.singleResult = closed ? { errors, data: null } : { errors };
  if (!closed) http.status = 400;
}

/** Most answers are so small that nobody needs to know how many bytes each character has. */
function isLarger(value: unknown, most: number): boolean {
  return jsonBytes(value, most, bytesAtMost) > most && jsonBytes(value, most) > most;
}

/** A control character is an escape of six. */
function bytesAtMost(text: string): number {
  return text.length * 6 + 2;
}

function bytesExactly(text: string): number {
  return PLAIN.test(text) ? text.length + 2 : Buffer.byteLength(JSON.stringify(text));
}

/** How many bytes of UTF-8 a value has as JSON, where they are not more than `most`; else some number above that. */
export function jsonBytes(value: unknown, most: number, bytesOf = bytesExactly): number {
  switch (typeof value) {
    case 'string':
      return bytesOf(value);
    case 'number':
      return Number.isFinite(value) ? String(value).length : 4;
    case 'boolean':
      return value ? 4 : 5;
    case 'object':
      if (value === null) return 4;
      if (Array.isArray(value)) return bytesOfList(value, most, bytesOf);
      if ('toJSON' in value) return Buffer.byteLength(JSON.stringify(value));
      return bytesOfObject(value as Readonly<Record<string, unknown>>, most, bytesOf);
    default:
      return 4;
  }
}

function bytesOfList(list: readonly unknown[], most: number, bytesOf: typeof bytesExactly): number {
  let bytes = 1 + Math.max(1, list.length);
  for (const item of list) {
    bytes += jsonBytes(item, most - bytes, bytesOf);
    if (bytes > most) break;
  }
  return bytes;
}

function bytesOfObject(
  object: Readonly<Record<string, unknown>>,
  most: number,
  bytesOf: typeof bytesExactly,
): number {
  let bytes = 1;
  let isEmpty = true;
  for (const name in object) {
    const value = object[name];
    // What is undefined is left out.
    if (value === undefined) continue;
    isEmpty = false;
    // The quotes, a colon, and a comma or the closing brace.
    bytes += name.length + 4 + jsonBytes(value, most - bytes, bytesOf);
    if (bytes > most) break;
  }
  return isEmpty ? 2 : bytes;
}
