import { stringAt, valueAt, type JsonObject } from './json';
import { memberSource } from './json-member';

/**
 * The digits at `<name>_str`, else at `name`, as text, because a float has only 53 bits. A number of more bits is read
 * again from the object's source.
 */
export function exactAt(
  object: JsonObject | undefined,
  name: string,
  source: () => string | undefined,
): string | undefined {
  const text = [`${name}_str`, name].map((key) => stringAt(object, key)).find((value) => value);
  if (text !== undefined) return text;
  for (const key of [`${name}_str`, name]) {
    const number = object?.[key];
    if (typeof number !== 'number') continue;
    if (Number.isSafeInteger(number)) return String(number);
    const exact = source();
    return exact === undefined ? String(number) : memberSource(exact, key);
  }
  return valueAt(object, name);
}
