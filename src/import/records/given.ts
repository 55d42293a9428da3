type Given<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Copies `object` without its undefined members: a record leaves out what its source does not say. */
export function withoutUndefined<T extends object>(object: T): Given<T> {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as Given<T>;
}
