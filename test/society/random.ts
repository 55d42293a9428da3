import { randomIntFrom, type RandomInt } from '../support/random-int';

/** Draws from what a seed gives; the seed is told by tests that fail. */
export interface Drawing {
  readonly seed: number;
  readonly random: RandomInt;
  /** One of some values, of which there must be one. */
  pick<T>(this: void, from: readonly T[]): T;
  /** One of some values, or undefined if there are none. */
  pickAny<T>(this: void, from: readonly T[]): T | undefined;
  /** Some of some values, perhaps none. */
  some<T>(this: void, from: readonly T[]): T[];
}

/** Creates what draws, from the seed of the environment or, without one, from a new one. */
export function createDrawing(): Drawing {
  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
  const random = randomIntFrom(seed);
  const pickAny = <T>(from: readonly T[]) => from[random(from.length)];
  return {
    seed,
    random,
    pickAny,
    pick(from) {
      const one = pickAny(from);
      if (one === undefined) throw new Error('There must be a value to pick, but got none.');
      return one;
    },
    some: (from) => from.filter(() => random(2) === 0),
  };
}
