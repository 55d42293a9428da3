import { createFairSemaphore, type FairSemaphore } from '../base/fair-semaphore';
import { LANE_SIZES, type LaneName } from './lane';

/** How long a message has its place if nothing is heard of its task. */
const PLACE_FOR_MS = 120_000;

/** The person whose message it is, and its lane. */
interface MessageOwner {
  readonly lane: LaneName;
  /** Undefined if it is nobody's. */
  readonly person: string | undefined;
}

interface Place {
  readonly room: FairSemaphore;
  readonly entry: { readonly person: string | undefined };
  readonly since: number;
}

/**
 * Lets a server have only so many messages of one person in the queue at once. A queue gives out messages in their order, so others would wait
 * for all of them.
 */
interface MessageTurns {
  /**
   * Resolves to true when the message of a task may be published: at once if it has a place, or its person has few. Resolves to false if
   * the task waits for its turn already.
   */
  take(taskId: string, owner: MessageOwner): Promise<boolean>;
  /** Gives the place of a task to the next one of its person. */
  giveBack(taskId: string): void;
  /** Gives back all places, because what became of their tasks may not be heard. */
  giveBackAll(): void;
  /** Gives back the places of tasks of which nothing was heard for long, except tasks that are looked after in another way. */
  giveBackOld(isSeenTo: (taskId: string) => boolean): void;
}

/** Creates the turns of a server. One person has at most as many messages in the queue as half of the lanes of all servers run at once. */
export function createMessageTurns(servers: () => number): MessageTurns {
  const roomOf = (lane: LaneName) =>
    createFairSemaphore(Infinity, () => Math.max(1, Math.floor((LANE_SIZES[lane] * servers()) / 2)));
  const rooms = { short: roomOf('short'), long: roomOf('long'), growing: roomOf('growing') };
  const waiting = new Set<string>();
  const places = new Map<string, Place>();
  const giveBack = (taskId: string) => {
    const place = places.get(taskId);
    if (place === undefined) return;
    places.delete(taskId);
    place.room.release(place.entry);
  };
  return {
    async take(taskId, { lane, person }) {
      if (places.has(taskId)) return true;
      if (waiting.has(taskId)) return false;
      const room = rooms[lane];
      // A task keeps its place until its chunks are done, so they have places of their own.
      const entry = { person: person === undefined ? undefined : `${taskId.split('.').length} ${person}` };
      waiting.add(taskId);
      await room.take(entry);
      waiting.delete(taskId);
      places.set(taskId, { room, entry, since: performance.now() });
      return true;
    },
    giveBack,
    giveBackAll() {
      for (const taskId of [...places.keys()]) giveBack(taskId);
    },
    giveBackOld(isSeenTo) {
      const until = performance.now() - PLACE_FOR_MS;
      for (const [taskId, { since }] of [...places]) {
        if (since > until) break;
        if (!isSeenTo(taskId)) giveBack(taskId);
      }
    },
  };
}
