import type { Pass } from '../data/gate';

/** Something that takes the processor for so long that others would notice, and that is done once for all who need it. */
export interface Work {
  /** Tells pieces of work apart. */
  readonly key: string;
  /** Who asks for it: callers have turns alternately, however much each asks for. */
  readonly caller: string;
  /** The request that needs it, which waits as long as it is open. */
  readonly pass: Pass;
  /** Whether another request has done it. */
  isDone(this: void): boolean;
}

/** Turns for work that takes the processor for so long that others would notice. */
export interface Turns {
  /**
   * Resolves to true when it is the request's turn to do the work, to false when the work is done. A request whose turn it
   * is already has it for further work. Rejects when the pass is closed. How many wait for a caller is limited by how many
   * requests it may have at once.
   */
  wait(work: Work): Promise<boolean>;
}

interface Turn {
  readonly work: Work;
  readonly begun: Signal;
  readonly ended: Signal;
}

/**
 * Lets requests parse, validate and compile new documents one after another. Between two of them the server has as much
 * time for requests with documents that it knows as the last one took, so a flood of new documents takes at most half of
 * the processor. Work must follow its turn without waiting for input or output, else its time is not noticed.
 */
export function createTurns(): Turns {
  // The turns that are waited for, by caller. A map keeps its order: the first caller is next.
  const waiting = new Map<string, Turn[]>();
  const turns = new Map<string, Turn>();
  let current: Turn | null = null;
  let isWorking = false;
  const begin = (turn: Turn) => {
    current = turn;
    isWorking = true;
    const began = performance.now();
    turn.begun.give();
    // Runs after all promises that the work resolves.
    setImmediate(() => {
      isWorking = false;
      const milliseconds = performance.now() - began;
      end(turn);
      setTimeout(beginNext, milliseconds);
    });
  };
  const end = (turn: Turn) => {
    turns.delete(turn.work.key);
    turn.ended.give();
  };
  const beginNext = () => {
    current = null;
    for (const [caller, [next, ...others]] of waiting) {
      waiting.delete(caller);
      if (others.length > 0) waiting.set(caller, others);
      if (next) begin(next);
      return;
    }
  };
  const add = (work: Work): Turn => {
    const own = waiting.get(work.caller) ?? [];
    const turn = { work, begun: createSignal(), ended: createSignal() };
    turns.set(work.key, turn);
    if (current === null) begin(turn);
    else waiting.set(work.caller, [...own, turn]);
    return turn;
  };
  const leave = (turn: Turn) => {
    const own = waiting.get(turn.work.caller);
    if (!own?.includes(turn)) return;
    const others = own.filter((other) => other !== turn);
    if (others.length > 0) waiting.set(turn.work.caller, others);
    else waiting.delete(turn.work.caller);
    end(turn);
  };
  return {
    async wait(work) {
      while (!work.isDone()) {
        if (isWorking && current?.work.pass === work.pass) return true;
        const other = turns.get(work.key);
        if (other) {
          await work.pass.within(other.ended.given);
          continue;
        }
        const turn = add(work);
        try {
          await work.pass.within(turn.begun.given);
          return true;
        } catch (error) {
          leave(turn);
          throw error;
        }
      }
      return false;
    },
  };
}

/** Something that others wait for. */
interface Signal {
  readonly given: Promise<void>;
  give(this: void): void;
}

function createSignal(): Signal {
  let resolve = (): void => undefined;
  const given = new Promise<void>((resolveGiven) => {
    resolve = resolveGiven;
  });
  return {
    given,
    give: () => {
      resolve();
    },
  };
}
