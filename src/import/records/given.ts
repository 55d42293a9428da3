type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** `object` without the members that are undefined: what a source does not say is absent from its record. */
export function given<T extends object>(object: T): Given<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Given<T>;
}
