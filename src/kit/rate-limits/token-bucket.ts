import { LRUCache } from 'lru-cache';

/** How much buckets hold, and how fast they fill. */
export interface BucketOptions {
  /** Tokens of a full bucket; a new one is full. */
  readonly capacity: number;
  /** Seconds in which an empty bucket fills. */
  readonly seconds: number;
  /** The present in milliseconds, by a clock that never goes back. */
  readonly now?: () => number;
}

/** How much is in a bucket. */
export interface BucketState {
  readonly remaining: number;
  /** Whole seconds until it is full. */
  readonly resetSeconds: number;
}

interface Bucket {
  tokens: number;
  filledAt: number;
}

/** Bytes that the keys of one kind of buckets may take, about: some 100,000 callers. */
const MAX_BUCKETS_BYTES = 16 * 1024 * 1024;
/** What a bucket takes beside its key, about. */
const BUCKET_BYTES = 100;

/**
 * Token buckets by key, in memory. Each fills at a constant rate, so a caller who waits the seconds that `take` answers is
 * served then. Memory is bounded: the bucket that was not used for longest is forgotten first, which only ever gives more.
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
   * Takes tokens, and answers 0; where there are not so many it takes none, and answers in how many whole seconds there will
   * be. More than a bucket can hold is taken from a full one, which then fills from below 0.
   */
  take(key: string, tokens: number): number {
    const bucket = this.#filled(key);
    const missing = Math.min(tokens, this.capacity) - bucket.tokens;
    if (missing > 0) return Math.max(1, Math.ceil((missing * this.seconds) / this.capacity));
    bucket.tokens -= tokens;
    return 0;
  }

  /** Puts tokens back that were taken and not used. */
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

  /** The bucket of a key, with what came in since it was last looked at. */
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
