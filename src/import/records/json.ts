import { isBlank } from '../../kit/input/input-text';
import { RowError } from './row';

/** A JSON object whose members have not been checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Parses `text` as a JSON object; null if it is malformed or not an object. */
export function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Whether `value` is a JSON object: not null, not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object at `name`, or undefined. */
export function objectAt(object: JsonObject | undefined, name: string): JsonObject | undefined {
  const value = object?.[name];
  return isObject(value) ? value : undefined;
}

/** The array at `name`, or undefined. */
export function listAt(object: JsonObject | undefined, name: string): readonly unknown[] | undefined {
  const value = object?.[name];
  return Array.isArray(value) ? value : undefined;
}

/** The string at `name`, or undefined. */
export function stringAt(object: JsonObject | undefined, name: string): string | undefined {
  const value = object?.[name];
  return typeof value === 'string' ? value : undefined;
}

/** The string at `name`, unless it shows nothing. */
export function shownAt(object: JsonObject | undefined, name: string): string | undefined {
  const value = stringAt(object, name);
  return value === undefined || isBlank(value) ? undefined : value;
}

/**
 * The value at `name` as text, as a cell of a CSV file would have it: undefined for null, JSON for what is no string. Throws a `RowError` if
 * it is nested so deeply that it overflows the stack to write it, which it does not to parse it.
 */
export function valueAt(object: JsonObject | undefined, name: string): string | undefined {
  const value = object?.[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value);
  } catch {
    throw new RowError(`${name} is nested too deeply`);
  }
}
