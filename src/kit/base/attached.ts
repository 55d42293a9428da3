/** Values that belong to objects, one each. */
interface Attached<T> {
  get(owner: object): T | undefined;
  set(owner: object, value: T): void;
  /** Forgets the value, so that an object which is kept in memory for longer does not keep it. */
  forget(owner: object): void;
}

/**
 * Creates a property that short-lived objects have under a symbol of its own. Prefer it to a `WeakMap` for what belongs to a
 * request: V8's minor collections take the values of a WeakMap for reachable. A value that refers to its key thus outlives the
 * request, with everything that was read for it, and only a major collection, which is expensive, removes it.
 */
export function attached<T>(): Attached<T> {
  const property = Symbol();
  return {
    get: (owner: { readonly [property]?: T | undefined }) => owner[property],
    set(owner: { [property]?: T | undefined }, value) {
      owner[property] = value;
    },
    forget(owner: { [property]?: T | undefined }) {
      owner[property] = undefined;
    },
  };
}
