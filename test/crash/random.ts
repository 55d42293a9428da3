import { createHash } from 'node:crypto';
import { randomFrom, type Random } from '../../src/kit/base/random';

/** Creates a generator of random numbers for one purpose. Its numbers do not depend on how many others were drawn before. */
export function randomFor(...purpose: readonly (string | number)[]): Random {
  return randomFrom(createHash('sha256').update(purpose.join(' ')).digest().readInt32BE());
}

/** True with the given probability, from 0 to 1. */
export function chance(random: Random, probability: number): boolean {
  return random() < probability;
}

/** A number in [min, max). */
export function between(random: Random, min: number, max: number): number {
  return min + random() * (max - min);
}

/** Picks a random item, null if there are none. The greater `bias`, the more likely are later items; 1 means all equally. */
export function pickOne<T>(random: Random, from: readonly T[], bias = 1): T | null {
  return from[from.length - 1 - Math.floor(random() ** bias * from.length)] ?? null;
}
