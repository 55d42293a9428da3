import { createHash } from 'node:crypto';
import { badInput } from '../base/errors';

/** A position in a list: a bucket and the clustering key of a row in it. With an empty key, reading begins at the start of the bucket. */
export interface Position {
  readonly bucket: number;
  readonly key: readonly PositionValue[];
}

/** A moment or a 64-bit id in decimal. */
export type PositionValue = Date | string;

/** The next greater value for a step of 1, or the next smaller one for -1. A value at the end of the 64-bit integers is returned unchanged. */
export function adjacentValue(value: PositionValue, step: 1 | -1): PositionValue {
  if (value instanceof Date) return new Date(Number(value) + step);
  const next = BigInt(value) + BigInt(step);
  return BigInt.asIntN(64, next) === next ? String(next) : value;
}

/** The version of the cursor format, the first word of each cursor. */
const VERSION = '1';

/**
 * Encodes a cursor: version, position, and a checksum that includes the name of the list and its owner. So a damaged cursor,
 * or one of another list, is recognised. The checksum is not a signature: a client could compute it.
 */
export function encodeCursor(list: string, { bucket, key }: Position): string {
  const values = key.map((value) => (value instanceof Date ? `t${value.getTime()}` : value));
  const body = [VERSION, bucket, ...values].join(' ');
  return Buffer.from(`${body} ${checksum(list, body)}`).toString('base64url');
}

/**
 * Decodes a cursor of `list`. Throws `BAD_USER_INPUT` that names the argument for anything else. Whether its values fit the list's table is only
 * checked when they are bound to a statement.
 */
export function decodeCursor(list: string, cursor: string, argument = 'after'): Position {
  const refuse = () =>
    badInput(
      `A cursor must be one that this list returned for the same arguments, but got: ${JSON.stringify(cursor.slice(0, 100))}`,
      argument,
    );
  if (!/^[\w-]{1,200}$/.test(cursor)) throw refuse();
  const decoded = Buffer.from(cursor, 'base64url').toString('latin1');
  if (Buffer.from(decoded, 'latin1').toString('base64url') !== cursor) throw refuse();
  const end = decoded.lastIndexOf(' ');
  const body = decoded.slice(0, end);
  if (end < 0 || decoded.slice(end + 1) !== checksum(list, body)) throw refuse();
  const [version, bucket, ...values] = body.split(' ');
  if (version !== VERSION || bucket === undefined || !/^-?\d{1,9}$/.test(bucket)) throw refuse();
  if (!values.every((value) => /^t-?\d{1,16}$|^-?\d{1,19}$/.test(value))) throw refuse();
  const key = values.map((value) => (value.startsWith('t') ? new Date(Number(value.slice(1))) : value));
  // Not each number of milliseconds is a moment.
  if (key.some((value) => Number.isNaN(Number(value)))) throw refuse();
  return { bucket: Number(bucket), key };
}

function checksum(list: string, body: string): string {
  return createHash('sha256').update(`${list}\0${body}`).digest('base64url').slice(0, 8);
}
