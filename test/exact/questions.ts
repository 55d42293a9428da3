import type { Random } from '../../src/kit/base/random';
import { between, chance, pickOne } from '../crash/random';
import type { Known } from './known';
import type { Area } from '../support/areas';
import { units, type Unit, type Window } from './oracle';

const MINUTE = 60_000;
/** The longest window: eight years. */
const MAX_WINDOW_MS = 8 * 365 * 86_400_000;
/** The size of the smallest box, a street. */
const MIN_BOX_DEGREES = 0.001;

/** A question to searchTweets. */
interface WordsQuestion {
  readonly words: readonly string[];
  readonly size: number;
}

export interface FrequencyQuestion extends Window {
  readonly unit: Unit;
  readonly language: string | null;
  readonly byLanguage: boolean;
}

interface AreaQuestion extends Window {
  readonly area: Area;
  readonly size: number;
}

interface HeatmapQuestion extends Window {
  readonly area: Area;
  readonly precision: number | null;
}

/** Generates questions about tweets, the same for the same random numbers. Most of them have an answer. */
export class Questions {
  readonly #tweets: readonly Known[];
  readonly #tagged: readonly Known[];
  readonly #placed: readonly Known[];
  readonly #common: readonly string[];
  readonly #languages: readonly string[];

  constructor(tweets: readonly Known[]) {
    this.#tweets = tweets.filter((tweet) => wordsOf(tweet).length > 0);
    this.#tagged = tweets.filter(({ hashtags }) => hashtags.length > 0);
    this.#placed = tweets.filter(({ place }) => place !== null);
    this.#languages = [...new Set(tweets.map(({ language }) => language))];
    const counts = new Map<string, number>();
    for (const tweet of tweets)
      for (const word of wordsOf(tweet)) counts.set(word, (counts.get(word) ?? 0) + 1);
    const sorted = [...counts].sort(([, a], [, b]) => b - a);
    this.#common = sorted.slice(0, 100).map(([word]) => word);
  }

  words(random: Random): WordsQuestion {
    const count = 1 + Math.floor(random() * 4);
    const roll = random();
    const sources =
      roll < 0.6
        ? [pickOne(random, this.#tweets)]
        : roll < 0.75
          ? [pickOne(random, this.#tweets), pickOne(random, this.#tweets)]
          : [];
    const known = sources.flatMap((tweet) => (tweet === null ? [] : wordsOf(tweet)));
    const from = known.length > 0 ? known : this.#common;
    const tags = new Set(sources.flatMap((tweet) => tweet?.hashtags ?? []));
    const words = Array.from({ length: count }, () => {
      // Often a word that other tweets have, too.
      const common = from.filter((word) => this.#common.includes(word));
      const word = pickOne(random, chance(random, 0.4) && common.length > 0 ? common : from) ?? 'a';
      const written = chance(random, 0.3) ? word.toUpperCase() : word;
      return tags.has(word) && chance(random, 0.5) ? `#${written}` : written;
    });
    return { words, size: this.#size(random) };
  }

  hashtag(random: Random): { readonly name: string; readonly size: number } {
    const name = pickOne(random, pickOne(random, this.#tagged)?.hashtags ?? ['nobody_uses_this']) ?? '';
    const written = chance(random, 0.3) ? name.toUpperCase() : name;
    const asked = chance(random, 0.05) ? `${written}xyz` : written;
    return { name: chance(random, 0.5) ? `#${asked}` : asked, size: this.#size(random) };
  }

  frequency(random: Random): FrequencyQuestion {
    const window = this.#window(random, this.#tweets);
    const fitting = (Object.keys(units) as Unit[]).filter(
      (unit) => (window.to - window.from) / units[unit] < (chance(random, 0.05) ? 20_000 : 9000),
    );
    return {
      ...window,
      unit: pickOne(random, fitting) ?? 'DAY',
      language: chance(random, 0.4) ? pickOne(random, this.#languages) : null,
      byLanguage: chance(random, 0.5),
    };
  }

  area(random: Random): AreaQuestion {
    return {
      ...this.#window(random, this.#placed),
      area: this.#box(random),
      size: Math.max(this.#size(random), 10),
    };
  }

  heatmap(random: Random): HeatmapQuestion {
    const precision = chance(random, 0.3) ? null : 1 + Math.floor(random() * 8);
    return { ...this.#window(random, this.#placed), area: this.#box(random), precision };
  }

  tweet(random: Random): Known | null {
    return pickOne(random, this.#tweets);
  }

  #size(random: Random): number {
    return 1 + Math.floor(random() * 100);
  }

  /** A window of a minute to eight years around a tweet; often it begins or ends exactly at the tweet. */
  #window(random: Random, tweets: readonly Known[]): Window {
    const time = pickOne(random, tweets)?.time ?? 0;
    const length = Math.round(MINUTE * (MAX_WINDOW_MS / MINUTE) ** random());
    const roll = random();
    if (roll < 0.15) return { from: time, to: time + length };
    if (roll < 0.3) return { from: time - length, to: time };
    const from = Math.round(time - random() * length);
    if (roll < 0.5) {
      const whole = pickOne(random, Object.values(units)) ?? MINUTE;
      const aligned = Math.floor(from / whole) * whole;
      return { from: aligned, to: aligned + Math.max(1, Math.round(length / whole)) * whole };
    }
    return { from, to: from + length };
  }

  /** A box between a street and the world around a tweet; often its corners are tweets, or it crosses the antimeridian. */
  #box(random: Random): Area {
    const place = pickOne(random, this.#placed)?.place ?? { latitude: 0, longitude: 0 };
    const other = pickOne(random, this.#placed)?.place ?? place;
    const roll = random();
    if (roll < 0.08) return { south: -90, west: -180, north: 90, east: 180 };
    const [south = 0, north = 0] = [place.latitude, other.latitude].sort((a, b) => a - b);
    if (roll < 0.2)
      return chance(random, 0.5)
        ? { south, north, west: place.longitude, east: other.longitude }
        : { south, north, west: other.longitude, east: place.longitude };
    const height = MIN_BOX_DEGREES * (180 / MIN_BOX_DEGREES) ** random();
    const width = height * between(random, 0.5, 2);
    const bottom = clamp(place.latitude - random() * height, 90);
    if (roll < 0.35) {
      const west = between(random, 180 - Math.min(width, 170), 180);
      const east = between(random, -180, Math.min(width, 170) - 180);
      return { south: bottom, north: clamp(bottom + height, 90), west, east };
    }
    const left = clamp(place.longitude - random() * width, 180);
    return { south: bottom, north: clamp(bottom + height, 90), west: left, east: clamp(left + width, 180) };
  }
}

function clamp(value: number, bound: number): number {
  return Math.min(bound, Math.max(-bound, value));
}

/** The terms of a tweet that can be asked for as words. */
function wordsOf({ terms }: Known): string[] {
  return [...terms].filter((term) => !term.startsWith('#'));
}
