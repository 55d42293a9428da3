/** A tweet that was posted during a soak. */
export interface Posted {
  readonly tweetId: string;
  readonly authorId: string;
  /** The author of the tweet that it replies to; null if it is no reply. */
  readonly repliedTo: string | null;
  /** When it was sent to the server, in milliseconds. */
  readonly sentAt: number;
}

/** What one subscriber was given, by tweet id, and when. */
export interface Received {
  given(this: void, tweetId: string): void;
}

/** Compares what was posted with what subscribers were given. */
export interface Ledger {
  /** Adds a subscriber, which must be given all tweets that are `expected`. */
  subscriber(expected: (posted: Posted) => boolean): Received;
  posted(posted: Posted): void;
  /** How many events should have come. */
  expected(): number;
  /** How many of these have not come. */
  missing(): number;
  /** Milliseconds from sending a tweet to each of its events, of those that have become known since the last call. */
  takeDelays(): number[];
}

/** Creates a ledger. An event may come before the answer to the one who posted. */
export function createLedger(now: () => number = () => performance.now()): Ledger {
  interface Subscriber {
    readonly expected: (posted: Posted) => boolean;
    /** When events came whose tweets are not known to be posted yet. */
    readonly early: Map<string, number>;
    readonly awaited: Set<string>;
  }
  const subscribers: Subscriber[] = [];
  const sentAt = new Map<string, number>();
  let expected = 0;
  let delays: number[] = [];
  return {
    subscriber(isExpected) {
      const own: Subscriber = { expected: isExpected, early: new Map(), awaited: new Set() };
      subscribers.push(own);
      return {
        given(tweetId) {
          const sent = sentAt.get(tweetId);
          if (sent === undefined) own.early.set(tweetId, now());
          else if (own.awaited.delete(tweetId)) delays.push(now() - sent);
        },
      };
    },
    posted(posted) {
      const { tweetId } = posted;
      sentAt.set(tweetId, posted.sentAt);
      for (const own of subscribers) {
        const cameAt = own.early.get(tweetId);
        own.early.delete(tweetId);
        if (!own.expected(posted)) continue;
        expected++;
        if (cameAt === undefined) own.awaited.add(tweetId);
        else delays.push(cameAt - posted.sentAt);
      }
    },
    expected: () => expected,
    missing: () => subscribers.reduce((sum, { awaited }) => sum + awaited.size, 0),
    takeDelays() {
      const taken = delays;
      delays = [];
      return taken;
    },
  };
}
