import { parseId } from './id';
import type { ImportRecord, Parsed } from './record';

/** Why a row of a source cannot be imported. The message is what the rejects file shows. */
export class RowError extends Error {
  readonly code = 'ROW_REJECTED';
}

/** Runs `make` for one row: its records, or the row as a reject where `make` throws a `RowError`. */
export function parsedRow(line: number, source: string, make: () => readonly ImportRecord[]): Parsed {
  try {
    return { line, records: make() };
  } catch (error) {
    if (error instanceof RowError) return { line, rejected: error.message, source };
    throw error;
  }
}

/** `text` as an id. An empty or missing one is undefined; anything else that is no id rejects the row. */
export function optionalId(name: string, text: string | undefined): string | undefined {
  const trimmed = optionalText(text);
  if (trimmed === undefined) return undefined;
  const id = parseId(trimmed);
  if (id === null)
    throw new RowError(`${name} must be a whole number from 1 to 2^63-1, but got: ${excerpt(trimmed)}`);
  return id;
}

/** `text` as an id; rejects the row where it is missing or no id. */
export function requiredId(name: string, text: string | undefined): string {
  const id = optionalId(name, text);
  if (id === undefined) throw new RowError(`no ${name}`);
  return id;
}

/** Names that break the rules of this API are kept; these are not names. */
const MAX_USERNAME_CHARACTERS = 500;
/** The greatest GraphQL `Int`, and Cassandra's. */
const MAX_COUNT = 2 ** 31 - 1;

/** `text` as a count. An empty or missing one is undefined and not 0; anything else that is no count rejects the row. */
export function optionalCount(name: string, text: string | undefined): number | undefined {
  const trimmed = optionalText(text);
  if (trimmed === undefined) return undefined;
  // Columns with gaps come out of data frames as floats: `12.0`.
  const count = /^\d+(\.0+)?$/.test(trimmed) ? Number(trimmed) : NaN;
  if (!(count <= MAX_COUNT))
    throw new RowError(`${name} must be a whole number from 0 to ${MAX_COUNT}, but got: ${excerpt(trimmed)}`);
  return count;
}

/** `text` as a username; rejects the row where no table could hold it. Undefined where it is missing. */
export function optionalUsername(text: string | undefined): string | undefined {
  const username = optionalText(text);
  if (username !== undefined && username.length > MAX_USERNAME_CHARACTERS)
    throw new RowError(`a username must be at most ${MAX_USERNAME_CHARACTERS} characters`);
  return username;
}

/** `text` without the white space around it; undefined where nothing is left. */
export function optionalText(text: string | undefined): string | undefined {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? undefined : trimmed;
}

/** Enough of a bad value to recognise it by, on one line. */
export function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= 60 ? line : `${line.slice(0, 60)}…`;
}
