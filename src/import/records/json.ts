/** A JSON object whose members are not yet known to be anything. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** `text` as a JSON object; null where it is none or malformed. */
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

/** The string at `name`, or undefined. Lone surrogates, which no UTF-8 can hold, become U+FFFD. */
export function stringAt(object: JsonObject | undefined, name: string): string | undefined {
  const value = object?.[name];
  return typeof value === 'string' ? value.replace(/\p{Surrogate}/gu, '\uFFFD') : undefined;
}
