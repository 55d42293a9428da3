/** What takes room. */
interface Entry {
  /** How much it takes; 1 by default. */
  readonly weight?: number;
  /** For whom it is: the entries of one person have only a part of a room. */
  readonly person?: string | undefined;
}

/** Room for work that may run at once. */
export interface Room {
  /**
   * Resolves when there is room for an entry, in the order of the calls. Only those whose person has enough already let others pass. An
   * entry that is larger than the room may have all of it.
   */
  take(this: void, entry?: Entry): Promise<void>;
  /** Takes room at once, even if there is none, for work that goes on after it has waited outside. */
  retake(this: void, entry?: Entry): void;
  /** Gives back the room of an entry with the same weight and person. */
  release(this: void, entry?: Entry): void;
  /** Stops waiting for the room of this very entry. Returns whether it waited. */
  giveUp(this: void, entry: Entry): boolean;
  /** How much room is left. */
  free(this: void): number;
  /** Whether nothing is in it, and nothing waits. */
  isEmpty(this: void): boolean;
}

/** Creates a room of a size, of which the entries of one person take at most `mostOfOne`. */
export function createRoom(size: number, mostOfOne = size): Room {
  const waiting: { readonly entry: Entry; begin(this: void): void }[] = [];
  const takenBy = new Map<string, number>();
  let inside = 0;
  let taken = 0;
  const hasSpace = ({ weight = 1 }: Entry) => inside === 0 || taken + weight <= size;
  const isAllowed = ({ weight = 1, person }: Entry) =>
    person === undefined || (takenBy.get(person) ?? 0) + weight <= mostOfOne;
  const add = ({ weight = 1, person }: Entry, sign: 1 | -1) => {
    inside += sign;
    // Sums of fractions are not exact.
    taken = inside === 0 ? 0 : taken + sign * weight;
    if (person === undefined) return;
    const ofPerson = (takenBy.get(person) ?? 0) + sign * weight;
    if (ofPerson > 0) takenBy.set(person, ofPerson);
    else takenBy.delete(person);
  };
  const letIn = () => {
    for (let n = 0; n < waiting.length;) {
      const next = waiting[n];
      if (next === undefined || !hasSpace(next.entry)) return;
      if (!isAllowed(next.entry)) {
        n++;
        continue;
      }
      waiting.splice(n, 1);
      add(next.entry, 1);
      next.begin();
    }
  };
  return {
    take: (entry = {}) =>
      new Promise<void>((begin) => {
        waiting.push({ entry, begin });
        letIn();
      }),
    retake(entry = {}) {
      add(entry, 1);
    },
    release(entry = {}) {
      add(entry, -1);
      letIn();
    },
    giveUp(entry) {
      const index = waiting.findIndex((one) => one.entry === entry);
      if (index < 0) return false;
      waiting.splice(index, 1);
      letIn();
      return true;
    },
    free: () => Math.max(0, size - taken),
    isEmpty: () => inside === 0 && waiting.length === 0,
  };
}
