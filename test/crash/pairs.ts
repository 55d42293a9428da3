/** A set of pairs, each side's in the order in which they came. */
export class Pairs {
  readonly #ofLeft = new Map<string, Set<string>>();

  has(left: string, right: string): boolean {
    return this.#ofLeft.get(left)?.has(right) ?? false;
  }

  /** A pair that is there already keeps its place. */
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

  /** All to which `left` is paired, the oldest pair first. */
  of(left: string): string[] {
    return [...(this.#ofLeft.get(left) ?? [])];
  }

  /** All that are paired to `right`, in no order. */
  with(right: string): string[] {
    return [...this.#ofLeft].filter(([, rights]) => rights.has(right)).map(([left]) => left);
  }
}
