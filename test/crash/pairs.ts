/** A set of pairs. The pairs of each left side keep the order in which they were added. */
export class Pairs {
  readonly #ofLeft = new Map<string, Set<string>>();

  has(left: string, right: string): boolean {
    return this.#ofLeft.get(left)?.has(right) ?? false;
  }

  /** Adds a pair. A pair that exists already keeps its position. */
  add(left: string, right: string): void {
    const rights = this.#ofLeft.get(left) ?? new Set();
    this.#ofLeft.set(left, rights.add(right));
  }

  remove(left: string, right: string): void {
    this.#ofLeft.get(left)?.delete(right);
  }

  removeAllWith(right: string): void {
    for (const rights of this.#ofLeft.values()) rights.delete(right);
  }

  /** The right sides of all pairs of `left`, the oldest pair first. */
  of(left: string): string[] {
    return [...(this.#ofLeft.get(left) ?? [])];
  }

  /** The left sides of all pairs with `right`, in no particular order. */
  with(right: string): string[] {
    return [...this.#ofLeft].filter(([, rights]) => rights.has(right)).map(([left]) => left);
  }
}
