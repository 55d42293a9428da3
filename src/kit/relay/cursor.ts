import { createHash } from 'node:crypto';
import { badInput } from '../base/errors';

/** A position in a list: the bucket, and the clustering key of a row in it (none: the bucket's end in the direction of reading). */
export interface Position {
  readonly bucket: number;
  readonly key: readonly PositionValue[];
}

/** A moment or a 64-bit id in decimal. */
export type PositionValue = Date | string;

/** The value next to another one, later or greater by a step of 1, or earlier or less by one of -1; itself at the end of ids. */
export function beside(value: PositionValue, step: 1 | -1): PositionValue {
  if (value instanceof Date) return new Date(Number(value) + step);
  const next = BigInt(value) + BigInt(step);
  return BigInt.asIntN(64, next) === next ? String(next) : value;
}

/** The first word of a cursor: how the rest is written. */
const VERSION = '1';

/**
 * Writes a cursor: version, list, position and a checksum that binds them to the list and its owner, so that
 * a damaged cursor, or one of another list, is told from a good one. It is no secret and proves nothing.
 */
export function encodeCursor(list: string, { bucket, key }: Position): string {
  const values = key.map((value) => (value instanceof Date ? `t${value.getTime()}` : value));
  const body = [VERSION, bucket, ...values].join(' ');
  return Buffer.from(`${body} ${checksum(list, body)}`).toString('base64url');
}

/**
 * Reads a cursor of `list`; anything else is `BAD_USER_INPUT`. Whether its values fit the list's table is found when
 * they are bound to a statement.
 */
export function decodeCursor(list: string, cursor: string): Position {
  const refuse = () =>
    badInput(
      `A cursor must be one that this list gave for the same arguments, but got: ${JSON.stringify(cursor.slice(0, 100))}`,
    );
  if (!/^[\w-]{1,200}$/.test(cursor)) throw refuse();
  const decoded = Buffer.from(cursor, 'base64url').toString('latin1');
  if (Buffer.from(decoded, 'latin1').toString('base64url') !== cursor) throw refuse();
  const cut = decoded.lastIndexOf(' ');
  const body = decoded.slice(0, cut);
  if (cut < 0 || decoded.slice(cut + 1) !== checksum(list, body)) throw refuse();
  const [version, bucket, ...values] = body.split(' ');
  if (version !== VERSION || bucket === undefined || !/^-?\d{1,9}$/.test(bucket)) throw refuse();
  if (!values.every((value) => /^t-?\d{1,16}$|^-?\d{1,19}$/.test(value))) throw refuse();
  return {
    bucket: Number(bucket),
    key: values.map((value) => (value.startsWith('t') ? new Date(Number(value.slice(1))) : value)),
  };
}

function checksum(list: string, body: string): string {
  return createHash('sha256').update(`${list}\0${body}`).digest('base64url').slice(0, 8);
}
