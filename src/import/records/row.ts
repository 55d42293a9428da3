import { isBlank } from '../../kit/input/input-text';
import { MAX_CONTENT_BYTES, MAX_COUNTRY_BYTES, MAX_RAW_BYTES } from '../../features/tweet/tweet.table';
import {
  MAX_DESCRIPTION_BYTES,
  MAX_NAME_BYTES,
  MAX_USERNAME_BYTES,
  MAX_USERNAME_CHARACTERS,
} from '../../features/user/user.table';
import { copyText } from './copy-text';
import { parseId } from './id';
import type { ImportRecord, Parsed } from './record';
import { parseTime } from './time';

/** Why a row of a source cannot be imported. The message is what the rejects file shows. */
export class RowError extends Error {
  readonly code = 'ROW_REJECTED';
}

/** Notes that an optional value cannot be read, by its column: it costs the value, not the row. */
export type Drop = (column: string) => void;

/** Runs `make` for one row. The result is its records, or a rejected row if `make` throws a `RowError` or a value is too large. */
export function parsedRow(
  line: number,
  source: string,
  make: (drop: Drop) => readonly ImportRecord[],
): Parsed {
  let dropped: string[] | undefined;
  try {
    const records = make((column) => (dropped ??= []).push(column));
    for (const record of records) checkTexts(record);
    return dropped === undefined ? { line, source, records } : { line, source, records, dropped };
  } catch (error) {
    if (error instanceof RowError) return { line, rejected: error.message, source };
    throw error;
  }
}

/** Matches the texts that exports write for missing values. */
const nothing = /^(?:nan|none|null|nil|nat|<na>|#?n\/a|na|undefined|\\n)?$/i;

/** Trims `text`; undefined if it is missing or says so: `nan`, `None`, `null` and the like. For values that no person wrote. */
export function optionalValue(text: string | undefined): string | undefined {
  const trimmed = text?.trim() ?? '';
  return nothing.test(trimmed) ? undefined : trimmed;
}

/**
 * Throws a `RowError` if a text has a lone surrogate, which the driver would store as U+FFFD, or more bytes than its column allows: what
 * a query may read is computed from that.
 */
function checkTexts(record: ImportRecord): void {
  if (record.kind === 'user') {
    checkText('username', record.username, MAX_USERNAME_BYTES);
    checkText('name', record.name, MAX_NAME_BYTES);
    checkText('description', record.description, MAX_DESCRIPTION_BYTES);
  } else if (record.kind === 'tweet') {
    checkText('text', record.content, MAX_CONTENT_BYTES);
    checkText('username', record.author.username, MAX_USERNAME_BYTES);
    checkText('country', record.location?.country, MAX_COUNTRY_BYTES);
    checkText('record of a tweet', record.raw, MAX_RAW_BYTES);
  }
}

function checkText(name: string, text: string | undefined, maxBytes: number): void {
  if (text === undefined) return;
  if (/\p{Surrogate}/u.test(text))
    throw new RowError(`the ${name} must be well-formed Unicode, but holds a lone surrogate`);
  const bytes = Buffer.byteLength(text);
  if (bytes > maxBytes)
    throw new RowError(`the ${name} must be at most ${maxBytes} bytes of UTF-8, but got ${bytes}`);
}

/** Trims `text`; undefined if nothing visible is left. For texts that people write, who may call themselves `null`. */
export function optionalText(text: string | undefined): string | undefined {
  const trimmed = text?.trim() ?? '';
  return isBlank(trimmed) ? undefined : trimmed;
}

/** Matches long ids as spreadsheets and floats write them: `5.34896E+17`, or digits with a fraction. */
const rounded = /^\d+(?:[.,]\d*)?E\+?\d+$|^\d{16,}[.,]\d*$/i;

/** Parses an id as a row must have it. Throws a `RowError` if it is missing or not an id. */
export function requiredId(name: string, text: string | undefined): string {
  const id = optionalId(name, text);
  if (id === undefined) throw new RowError(`no ${name}`);
  return id;
}

/** Parses `text` as an id; undefined if it is missing. Throws a `RowError` if it is anything else. */
export function optionalId(name: string, text: string | undefined): string | undefined {
  const value = optionalValue(text);
  if (value === undefined) return undefined;
  const id = parseId(withoutFraction(value));
  if (id !== null) return id;
  const hint = rounded.test(value) ? '. A spreadsheet or a float has rounded it' : '';
  throw new RowError(`${name} must be a whole number from 1 to 2^63-1, but got: ${excerpt(value)}${hint}`);
}

/** Parses `text` as an id; undefined if it is missing. Any other text is dropped. */
export function idOrDrop(name: string, text: string | undefined, drop: Drop): string | undefined {
  const value = optionalValue(text);
  if (value === undefined) return undefined;
  const id = parseId(withoutFraction(value));
  if (id === null) drop(name);
  return id ?? undefined;
}

/** Data frames write integer columns with gaps as floats, `12.0`. A float has the exact digits of whole numbers up to 2^53 only. */
export function withoutFraction(text: string): string {
  const [whole = '', fraction] = text.split('.');
  const isExact = fraction !== undefined && /^0*$/.test(fraction) && Number(whole) <= Number.MAX_SAFE_INTEGER;
  return isExact ? whole : text;
}

/** The greatest `Int` of GraphQL and `int` of Cassandra. */
const MAX_COUNT = 2 ** 31 - 1;

/** Parses a count; undefined, not 0, if it is missing. Any other text is dropped. */
export function optionalCount(name: string, text: string | undefined, drop: Drop): number | undefined {
  const value = optionalValue(text);
  if (value === undefined) return undefined;
  const count = /^\d+(?:\.\d*)?(?:e\+?\d+)?$/i.test(value) ? Number(value) : NaN;
  if (Number.isInteger(count) && count <= MAX_COUNT) return count;
  drop(name);
  return undefined;
}

/** Parses a time with `parse`; undefined if it is missing. Throws a `RowError` if it cannot be read. */
export function optionalTime(
  name: string,
  text: string | undefined,
  parse: (text: string) => Date | null = parseTime,
): Date | undefined {
  const value = optionalValue(text);
  if (value === undefined) return undefined;
  const time = parse(value);
  if (time === null)
    throw new RowError(`${name} must be a time such as 2019-05-01T10:00:00Z, but got: ${excerpt(value)}`);
  return time;
}

/** Parses `text` as a username; undefined if it is empty or missing. Throws a `RowError` if it is longer than 500 characters. */
export function optionalUsername(text: string | undefined): string | undefined {
  const username = optionalText(text);
  if (username !== undefined && username.length > MAX_USERNAME_CHARACTERS)
    throw new RowError(`a username must be at most ${MAX_USERNAME_CHARACTERS} characters`);
  return username === undefined ? undefined : copyText(username);
}

/** The first 60 characters of a bad value on one line, for an error message. */
export function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= 60 ? line : `${line.slice(0, 60)}…`;
}
