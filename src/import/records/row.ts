import { isBlank } from '../../kit/input/input-text';
import { parseId } from './id';
import type { ImportRecord, Parsed } from './record';

/** Why a row of a source cannot be imported. The message is what the rejects file shows. */
export class RowError extends Error {
  readonly code = 'ROW_REJECTED';
}

/** Runs `make` for one row. The result is its records, or a rejected row if `make` throws a `RowError`. */
export function parsedRow(line: number, source: string, make: () => readonly ImportRecord[]): Parsed {
  try {
    return { line, records: make() };
  } catch (error) {
    if (error instanceof RowError) return { line, rejected: error.message, source };
    throw error;
  }
}

/** Parses `text` as an id; undefined if it is empty or missing. Throws a `RowError` if it is anything else. */
export function optionalId(name: string, text: string | undefined): string | undefined {
  const trimmed = optionalText(text);
  if (trimmed === undefined) return undefined;
  const id = parseId(trimmed);
  if (id === null)
    throw new RowError(`${name} must be a whole number from 1 to 2^63-1, but got: ${excerpt(trimmed)}`);
  return id;
}

/** Parses `text` as an id. Throws a `RowError` if it is missing or not an id. */
export function requiredId(name: string, text: string | undefined): string {
  const id = optionalId(name, text);
  if (id === undefined) throw new RowError(`no ${name}`);
  return id;
}

/** Longer texts are rejected. Shorter ones are kept even if they break this API's rules for usernames. */
const MAX_USERNAME_CHARACTERS = 500;
/** The greatest `Int` of GraphQL and `int` of Cassandra. */
const MAX_COUNT = 2 ** 31 - 1;

/** Parses `text` as a count; undefined, not 0, if it is empty or missing. Throws a `RowError` if it is anything else. */
export function optionalCount(name: string, text: string | undefined): number | undefined {
  const trimmed = optionalText(text);
  if (trimmed === undefined) return undefined;
  // Data frames write integer columns with gaps as floats: `12.0`.
  const count = /^\d+(\.0+)?$/.test(trimmed) ? Number(trimmed) : NaN;
  if (!(count <= MAX_COUNT))
    throw new RowError(`${name} must be a whole number from 0 to ${MAX_COUNT}, but got: ${excerpt(trimmed)}`);
  return count;
}

/** Parses `text` as a username; undefined if it is empty or missing. Throws a `RowError` if it is longer than 500 characters. */
export function optionalUsername(text: string | undefined): string | undefined {
  const username = optionalText(text);
  if (username !== undefined && username.length > MAX_USERNAME_CHARACTERS)
    throw new RowError(`a username must be at most ${MAX_USERNAME_CHARACTERS} characters`);
  return username;
}

/** Trims `text`; undefined if nothing is left that is shown. */
export function optionalText(text: string | undefined): string | undefined {
  const trimmed = text?.trim() ?? '';
  return isBlank(trimmed) ? undefined : trimmed;
}

/** The first 60 characters of a bad value on one line, for an error message. */
export function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= 60 ? line : `${line.slice(0, 60)}…`;
}
