/** How long others may not see that something has begun or ended, in milliseconds. The API promises two seconds. */
const UNSEEN_MS = 8_000;

/** Something that holds between two moments, of which only the answers to requests are known. */
interface Spell {
  readonly begun: number;
  held: number | null;
  ending: number | null;
  ended: number | null;
}

/** When things held that actors begin and end, such as a block. The keys say which thing. */
export class Spells {
  readonly #spells = new Map<string, Spell[]>();

  /** The request that begins it is about to be sent. */
  begin(key: string): void {
    if (this.#last(key)?.ended === null) return;
    const spells = this.#spells.get(key) ?? [];
    spells.push({ begun: Date.now(), held: null, ending: null, ended: null });
    this.#spells.set(key, spells);
  }

  /** That request was answered. */
  hold(key: string): void {
    const last = this.#last(key);
    if (last) last.held ??= Date.now();
  }

  /** The request that ends it is about to be sent. */
  beginToEnd(key: string): void {
    const last = this.#last(key);
    if (last) last.ending ??= Date.now();
  }

  /** That request was answered. */
  end(key: string): void {
    const last = this.#last(key);
    if (last) last.ended ??= Date.now();
  }

  /** Whether it may have held at some moment since `since`. */
  mayHaveHeld(key: string, since: number): boolean {
    return (this.#spells.get(key) ?? []).some(({ ended }) => ended === null || ended >= since);
  }

  /** Whether it has held all the time since `since`. */
  hasHeld(key: string, since: number): boolean {
    const last = this.#last(key);
    return last != null && last.held !== null && last.held <= since && last.ending === null;
  }

  /** Whether others may not know yet whether it holds. */
  isChanging(key: string): boolean {
    const now = Date.now();
    return (this.#spells.get(key) ?? []).some(
      ({ held, ending, ended }) =>
        held === null ||
        held + UNSEEN_MS > now ||
        (ending !== null && (ended === null || ended + UNSEEN_MS > now)),
    );
  }

  /** Whether it may hold, and nobody has begun to end it. */
  isOn(key: string): boolean {
    const last = this.#last(key);
    return last != null && last.ending === null && last.ended === null;
  }

  /** Whether it has ever begun. */
  everBegan(key: string): boolean {
    return this.#spells.has(key);
  }

  #last(key: string): Spell | undefined {
    return this.#spells.get(key)?.at(-1);
  }
}
