import { LRUCache } from 'lru-cache';

/** How many tokens a bucket holds, and how fast it fills. */
interface BucketOptions {
  /** Tokens of a full bucket; a new one is full. */
  readonly capacity: number;
  /** Seconds in which an empty bucket fills. */
  readonly seconds: number;
  /** The current time in milliseconds, from a clock that never goes back. */
  readonly now?: () => number;
}

/** The fill level of a bucket. */
export interface BucketState {
  readonly remaining: number;
  /** Whole seconds until it is full. */
  readonly resetSeconds: number;
}

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** About how many bytes the buckets of one limit may take: enough for some 100,000 callers. */
const MAX_BUCKETS_BYTES = 16 * 1024 * 1024;
/** About how many bytes a bucket takes in addition to its key. */
const BUCKET_BYTES = 100;

/**
 * Token buckets by key, in memory. Each fills at a constant rate, so a caller that waits for as many seconds as `take` returns is
 * served then. Memory is bounded: the least recently used bucket is forgotten first, and a forgotten bucket is full again.
 */
export class TokenBuckets {
  readonly capacity: number;
  readonly seconds: number;
  readonly #now: () => number;
  readonly #buckets = new LRUCache<string, Bucket>({
    maxSize: MAX_BUCKETS_BYTES,
    sizeCalculation: (_, key) => key.length + BUCKET_BYTES,
  });

  constructor({ capacity, seconds, now = () => performance.now() }: BucketOptions) {
    this.capacity = capacity;
    this.seconds = seconds;
    this.#now = now;
  }

  /**
   * Takes tokens and returns 0. If there are too few, it takes none and returns after how many whole seconds there will be
   * enough. More tokens than a bucket can hold are taken from a full bucket, which then fills from below 0.
   */
  take(key: string, tokens: number): number {
    const bucket = this.#filled(key);
    const missing = Math.min(tokens, this.capacity) - bucket.tokens;
    if (missing > 0) return Math.max(1, Math.ceil((missing * this.seconds) / this.capacity));
    bucket.tokens -= tokens;
    return 0;
  }

  /** Takes tokens, also more than there are: the bucket then fills from below 0. */
  takeAlways(key: string, tokens: number): void {
    this.#filled(key).tokens -= tokens;
  }

  /** Puts back tokens that were taken and not used. */
  giveBack(key: string, tokens: number): void {
    const bucket = this.#filled(key);
    bucket.tokens = Math.min(this.capacity, bucket.tokens + tokens);
  }

  state(key: string): BucketState {
    const { tokens } = this.#filled(key);
    return {
      remaining: Math.max(0, Math.floor(tokens)),
      resetSeconds: Math.ceil(((this.capacity - tokens) * this.seconds) / this.capacity),
    };
  }

  /** The bucket of a key, with the tokens that it gained since it was last used. */
  #filled(key: string): Bucket {
    const now = this.#now();
    const known = this.#buckets.get(key);
    if (known === undefined) {
      const full = { tokens: this.capacity, filledAt: now };
      this.#buckets.set(key, full);
      return full;
    }
    const gained = ((now - known.filledAt) / 1000) * (this.capacity / this.seconds);
    known.tokens = Math.min(this.capacity, known.tokens + gained);
    known.filledAt = now;
    return known;
  }
}
