import { createHash } from 'node:crypto';
import { randomFrom, type Random } from '../../src/demo/network';

/** Random numbers of their own for one purpose of a seed: they do not depend on how many others were drawn before. */
export function randomFor(...purpose: readonly (string | number)[]): Random {
  return randomFrom(createHash('sha256').update(purpose.join(' ')).digest().readInt32BE());
}

/** True with a probability of 0 to 1. */
export function chance(random: Random, probability: number): boolean {
  return random() < probability;
}

/** A number from `least` to below `most`. */
export function between(random: Random, least: number, most: number): number {
  return least + random() * (most - least);
}

/** One of some; later ones the more likely, the greater `bias` (1: all alike). Null when there are none. */
export function pickOne<T>(random: Random, from: readonly T[], bias = 1): T | null {
  return from[from.length - 1 - Math.floor(random() ** bias * from.length)] ?? null;
}
