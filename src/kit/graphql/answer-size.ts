import type { ApolloServerPlugin } from '@apollo/server';
import { tooLarge } from '../errors';

/** Text of which each character is one byte of JSON. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** Answers of more bytes of JSON are refused with `QUERY_TOO_LARGE`, before they are made: one of gigabytes would end the server. */
export function limitAnswers<Context extends object>(most: number): ApolloServerPlugin<Context> {
  return {
    async requestDidStart() {
      return {
        async willSendResponse({ response: { body, http } }) {
          if (body.kind !== 'single' || jsonBytes(body.singleResult, most) <= most) return Promise.resolve();
          const { message, extensions } = tooLarge(
            `An answer may have ${most} bytes, but this one has more: ask for fewer fields or shorter pages.`,
          );
          body.singleResult = { errors: [{ message, extensions: { code: extensions['code'] } }] };
          http.status = 400;
          return Promise.resolve();
        },
      };
    },
  };
}

/** How many bytes of UTF-8 a value has as JSON, where they are not more than `most`; else some number above that. */
export function jsonBytes(value: unknown, most: number): number {
  switch (typeof value) {
    case 'string':
      return PLAIN.test(value) ? value.length + 2 : Buffer.byteLength(JSON.stringify(value));
    case 'number':
      return Number.isFinite(value) ? String(value).length : 4;
    case 'boolean':
      return value ? 4 : 5;
    case 'object':
      if (value === null) return 4;
      if (Array.isArray(value)) return bytesOfList(value, most);
      if ('toJSON' in value) return Buffer.byteLength(JSON.stringify(value));
      return bytesOfObject(value as Readonly<Record<string, unknown>>, most);
    default:
      return 4;
  }
}

function bytesOfList(list: readonly unknown[], most: number): number {
  let bytes = 1 + Math.max(1, list.length);
  for (const item of list) {
    bytes += jsonBytes(item, most - bytes);
    if (bytes > most) break;
  }
  return bytes;
}

function bytesOfObject(object: Readonly<Record<string, unknown>>, most: number): number {
  let bytes = 1;
  let isEmpty = true;
  for (const name in object) {
    const value = object[name];
    // What is undefined is left out.
    if (value === undefined) continue;
    isEmpty = false;
    // The quotes, a colon, and a comma or the closing brace.
    bytes += name.length + 4 + jsonBytes(value, most - bytes);
    if (bytes > most) break;
  }
  return isEmpty ? 2 : bytes;
}
