import { createQueue, type Queue } from './queue';

/** An entry that takes room. */
export interface Entry {
  /** How much it takes; 1 by default. */
  readonly weight?: number;
  /** The person, or the request, whose entry it is. The entries of one person have only a part of a room. */
  readonly person?: string | object | undefined;
}

/** Room for work that may run at once. */
export interface FairSemaphore {
  /**
   * Resolves when there is room for an entry. People take turns, one entry each, and the entries of one person keep their order; entries of
   * nobody count as one more person's. The person whose turn it is holds up all others, except a person who has enough room already: that
   * one loses its turn. An entry that is larger than the room may have all of it.
   */
  take(this: void, entry?: Entry): Promise<void>;
  /**
   * Gives back the room of an entry with the same weight and person, and resolves when there is room for this one. It goes on before
   * all others of its person that wait, so that what has begun ends before more of it begins.
   */
  takeTurns(this: void, entry?: Entry): Promise<void>;
  /** Takes room at once, even if there is none, for work that goes on after it has waited outside. */
  retake(this: void, entry?: Entry): void;
  /** Gives back the room of an entry with the same weight and person. */
  release(this: void, entry?: Entry): void;
  /** Stops waiting for the room of this very entry. Returns whether it waited. */
  giveUp(this: void, entry: Entry): boolean;
  /** How much room is left. */
  free(this: void): number;
  /** Whether anything waits. */
  isWaitedFor(this: void): boolean;
  /** Whether nothing is in it, and nothing waits. */
  isEmpty(this: void): boolean;
}

/** Somebody whose entries are in a room, or wait for it. */
interface Person {
  readonly name: Entry['person'];
  /** The entries that wait. One that was given up stays until its turn. */
  readonly entries: Queue<Entry>;
  inside: number;
  taken: number;
  /** Whether the person is in the line of those who take turns. */
  isInLine: boolean;
}

/**
 * Creates a room of a size, of which the entries of one person take at most `maxOfOne`; a function says how much that is now. Each step
 * takes constant time on average.
 */
export function createFairSemaphore(size: number, maxOfOne: number | (() => number) = size): FairSemaphore {
  const limitOfOne = typeof maxOfOne === 'number' ? () => maxOfOne : maxOfOne;
  const people = new Map<Entry['person'], Person>();
  const line = createQueue<Person>();
  /** The functions that let waiting entries in. */
  const waiting = new Map<Entry, () => void>();
  let inside = 0;
  let taken = 0;
  const hasSpace = ({ weight = 1 }: Entry) => inside === 0 || taken + weight <= size;
  const isAllowed = ({ name, taken: own }: Person, { weight = 1 }: Entry) =>
    name === undefined || own + weight <= limitOfOne();
  const personOf = ({ person: name }: Entry) => {
    let person = people.get(name);
    if (person === undefined)
      people.set(name, (person = { name, entries: createQueue(), inside: 0, taken: 0, isInLine: false }));
    return person;
  };
  const add = (person: Person, { weight = 1 }: Entry, sign: 1 | -1) => {
    // Sums of fractions are not exact.
    inside += sign;
    taken = inside === 0 ? 0 : taken + sign * weight;
    person.inside += sign;
    person.taken = person.inside === 0 ? 0 : person.taken + sign * weight;
  };
  /** The first entry of a person that still waits. */
  const firstOf = ({ entries }: Person) => {
    let entry = entries.first();
    for (; entry && !waiting.has(entry); entry = entries.first()) entries.take();
    return entry;
  };
  const comeInLine = (person: Person) => {
    if (person.isInLine) return;
    const entry = firstOf(person);
    if (entry && isAllowed(person, entry)) {
      person.isInLine = true;
      line.add(person);
    } else if (!entry && person.inside === 0) people.delete(person.name);
  };
  const letIn = () => {
    for (let person = line.first(); person; person = line.first()) {
      const entry = firstOf(person);
      const isNext = entry !== undefined && isAllowed(person, entry);
      if (isNext && !hasSpace(entry)) return;
      line.take();
      person.isInLine = false;
      if (isNext) {
        person.entries.take();
        add(person, entry, 1);
        waiting.get(entry)?.();
        waiting.delete(entry);
      }
      comeInLine(person);
    }
  };
  const release = (entry: Entry = {}) => {
    const person = personOf(entry);
    add(person, entry, -1);
    comeInLine(person);
    letIn();
  };
  return {
    take: (entry = {}) =>
      new Promise<void>((begin) => {
        const person = personOf(entry);
        waiting.set(entry, begin);
        person.entries.add(entry);
        comeInLine(person);
        letIn();
      }),
    takeTurns: (entry = {}) =>
      new Promise<void>((begin) => {
        waiting.set(entry, begin);
        personOf(entry).entries.addFirst(entry);
        release(entry);
      }),
    retake(entry = {}) {
      add(personOf(entry), entry, 1);
    },
    release,
    giveUp(entry) {
      const isGivenUp = waiting.delete(entry);
      if (isGivenUp) letIn();
      return isGivenUp;
    },
    free: () => Math.max(0, size - taken),
    isWaitedFor: () => waiting.size > 0,
    isEmpty: () => inside === 0 && waiting.size === 0,
  };
}
