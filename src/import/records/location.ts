import type { TweetRecord } from './record';
import { excerpt, optionalText, RowError } from './row';

type Location = NonNullable<TweetRecord['location']>;

/** A point on Earth in degrees. Throws a `RowError` if a coordinate is not a number or out of range. */
export function locationOf(latitude: unknown, longitude: unknown, country: string | undefined): Location {
  if (!isWithin(latitude, 90)) throw new RowError(`latitude must be -90 … 90, but got: ${shown(latitude)}`);
  if (!isWithin(longitude, 180))
    throw new RowError(`longitude must be -180 … 180, but got: ${shown(longitude)}`);
  const name = optionalText(country);
  return { latitude, longitude, ...(name !== undefined && { country: name }) };
}

/** The point of a CSV row, undefined if both cells are empty. Throws a `RowError` if a coordinate is no number or out of range. */
export function locationOfCells(
  latitude: string | undefined,
  longitude: string | undefined,
  country: string | undefined,
): Location | undefined {
  if (optionalText(latitude) === undefined && optionalText(longitude) === undefined) return undefined;
  return locationOf(numberOf(latitude), numberOf(longitude), country);
}

function numberOf(cell: string | undefined): unknown {
  return cell !== undefined && /^\s*[-+]?\d+(\.\d*)?(e[-+]?\d+)?\s*$/i.test(cell) ? Number(cell) : cell;
}

function isWithin(value: unknown, bound: number): value is number {
  return typeof value === 'number' && Math.abs(value) <= bound;
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : excerpt(typeof value === 'string' ? value : JSON.stringify(value));
}
