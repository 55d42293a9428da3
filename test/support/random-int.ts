import { randomFrom } from '../../src/kit/base/random';

/** Draws a random whole number: from 0 to `from` - 1, or from `from` to `to` - 1. */
export type RandomInt = (from: number, to?: number) => number;

/** Creates a generator of random whole numbers, which gives the same numbers for the same seed. */
export function randomIntFrom(seed: number): RandomInt {
  const random = randomFrom(seed);
  return (from, to) => {
    const [low, high] = to === undefined ? [0, from] : [from, to];
    return low + Math.floor(random() * (high - low));
  };
}
