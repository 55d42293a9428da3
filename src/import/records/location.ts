import { MAX_NAME_BYTES } from '../../features/user/user.table';
import type { TweetRecord } from './record';
import { optionalText, optionalValue, type Drop } from './row';

type Location = NonNullable<TweetRecord['location']>;

/**
 * A point on Earth in degrees, given as numbers or as texts; undefined if neither coordinate is given. If one is missing, no number or
 * out of range, the location is dropped, by the name of its column; a country whose name is too long is dropped alone.
 */
export function optionalLocation(
  latitude: unknown,
  longitude: unknown,
  country: string | undefined,
  drop: Drop,
  [latitudeName, longitudeName]: readonly [string, string] = ['latitude', 'longitude'],
): Location | undefined {
  if (isMissing(latitude) && isMissing(longitude)) return undefined;
  const [north, east] = [degreesIn(latitude, 90), degreesIn(longitude, 180)];
  if (north === undefined || east === undefined) {
    drop(north === undefined ? latitudeName : longitudeName);
    return undefined;
  }
  const name = countryNamed(country, drop);
  return { latitude: north, longitude: east, ...(name !== undefined && { country: name }) };
}

/** The name of a country has at most as many bytes as that of a person: what a query may read is computed from that. */
function countryNamed(text: string | undefined, drop: Drop): string | undefined {
  const name = optionalText(text);
  if (name === undefined || Buffer.byteLength(name) <= MAX_NAME_BYTES) return name;
  drop('country');
  return undefined;
}

function isMissing(value: unknown): boolean {
  return (
    value === undefined || value === null || (typeof value === 'string' && optionalValue(value) === undefined)
  );
}

/** A number of degrees; spreadsheets of half of Europe write `52,5`. */
function degreesIn(value: unknown, bound: number): number | undefined {
  const isNumber =
    typeof value === 'string' && /^\s*[-+]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:e[-+]?\d+)?\s*$/i.test(value);
  const degrees = isNumber ? Number(value.replace(',', '.')) : value;
  return typeof degrees === 'number' && Math.abs(degrees) <= bound ? degrees : undefined;
}
