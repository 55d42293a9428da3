import { stringAt, valueAt, type JsonObject } from './json';
import { RowError } from './row';

/**
 * The id at `<name>_str`, else at `name`, as text. A float has only 53 bits, so what is neither a text nor an exact number, such as a
 * longer number or a list of them, is taken from `source`, the text that `object` was parsed from. Throws a `RowError` if it is not there.
 */
export function exactAt(
  object: JsonObject | undefined,
  name: string,
  source: () => string | undefined,
): string | undefined {
  const names = [`${name}_str`, name];
  const text = names.map((one) => stringAt(object, one)).find((value) => value);
  if (text !== undefined) return text;
  const given = names.find((one) => typeof object?.[one] === 'number') ?? name;
  const value = object?.[given];
  if (value === undefined || value === null || value === '') return undefined;
  if (Number.isSafeInteger(value)) return valueAt(object, given);
  const exact = memberSource(source() ?? '', given);
  if (exact === undefined) throw new RowError(`${name} must be a text, or a number that a float can hold`);
  return exact;
}

/**
 * The source text of the value of member `name` in the object `source`, which must be well-formed JSON; undefined if
 * there is none. If several members have that name, the last one counts, as for `JSON.parse`. The text has what parsing
 * loses: the exact digits of a large number, and the exact text of a nested object.
 */
export function memberSource(source: string, name: string): string | undefined {
  let found: string | undefined;
  let at = skipSpace(source, source.indexOf('{') + 1);
  while (source[at] === '"') {
    const nameEnd = endOfString(source, at);
    const start = skipSpace(source, source.indexOf(':', nameEnd) + 1);
    const end = endOfValue(source, start);
    if (JSON.parse(source.slice(at, nameEnd)) === name) found = source.slice(start, end);
    const next = skipSpace(source, end);
    at = source[next] === ',' ? skipSpace(source, next + 1) : source.length;
  }
  return found;
}

function endOfValue(source: string, start: number): number {
  if (source[start] === '"') return endOfString(source, start);
  if (source[start] !== '{' && source[start] !== '[') return findEnd(/[\s,}]/g, source, start);

  const token = /["{}[\]]/g;
  let depth = 0;
  token.lastIndex = start;
  for (let match = token.exec(source); match !== null; match = token.exec(source)) {
    if (match[0] === '"') token.lastIndex = endOfString(source, match.index);
    else depth += match[0] === '{' || match[0] === '[' ? 1 : -1;
    if (depth === 0) return token.lastIndex;
  }
  return source.length;
}

function endOfString(source: string, start: number): number {
  for (let at = source.indexOf('"', start + 1); at !== -1; at = source.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (source[at - backslashes - 1] === '\\') backslashes += 1;
    if (backslashes % 2 === 0) return at + 1;
  }
  return source.length;
}

function skipSpace(source: string, start: number): number {
  return findEnd(/[^ \t\r\n]/g, source, start);
}

function findEnd(pattern: RegExp, source: string, start: number): number {
  pattern.lastIndex = start;
  return pattern.exec(source)?.index ?? source.length;
}
