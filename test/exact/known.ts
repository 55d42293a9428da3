import type { ImportRecord, TweetRecord } from '../../src/import/records/record';
import { hashtagsIn, findTweetTerms } from '../../src/features/search/words';

/** The properties of a tweet that questions ask about. */
export interface Known {
  readonly tweetId: string;
  /** The id as a number, for sorting. */
  readonly order: bigint;
  readonly time: number;
  readonly content: string;
  /** What it is found by. Other tests say what that is: see test/words. */
  readonly terms: ReadonlySet<string>;
  /** Folded, as they are compared. */
  readonly hashtags: readonly string[];
  readonly mentions: readonly string[];
  readonly likes: number;
  readonly isShare: boolean;
  readonly language: string;
  readonly place: { readonly latitude: number; readonly longitude: number } | null;
  readonly raw: string;
}

/**
 * Collects imported tweets by the rules of the import: of records with the same id the last one counts, and of two shares
 * of one tweet by the same author the first one.
 */
export class Gatherer {
  readonly #records = new Map<string, TweetRecord>();
  readonly #shares = new Map<string, string>();

  add(record: ImportRecord): void {
    if (record.kind !== 'tweet') return;
    const { tweetId, sharedTweetId, author } = record;
    if (sharedTweetId !== undefined) {
      const share = `${author.userId ?? author.username ?? ''} ${sharedTweetId}`;
      const first = this.#shares.get(share) ?? tweetId;
      this.#shares.set(share, first);
      if (first !== tweetId) return;
    }
    const before = this.#records.get(tweetId);
    const likeCount = record.likeCount ?? before?.likeCount;
    // What is cut, or embedded in another tweet, does not take the place of a whole text, and a cut one not that of a longer one.
    const isWhole =
      record.completeness === undefined ||
      before === undefined ||
      (/…(\s*https?:\S+)?\s*$/.test(before.content) &&
        (record.completeness === 'copy' || record.content.length >= before.content.length));
    this.#records.set(tweetId, {
      ...(isWhole ? record : before),
      ...(likeCount !== undefined && { likeCount }),
    });
  }

  known(): Known[] {
    return [...this.#records.values()].map(knownOf);
  }
}

function knownOf(record: TweetRecord): Known {
  const { tweetId, createdAt, content, hashtags, mentions, likeCount, language, location, raw } = record;
  return {
    tweetId,
    order: BigInt(tweetId),
    time: Number(createdAt),
    content,
    terms: new Set(findTweetTerms({ content, hashtags, mentions })),
    hashtags: hashtagsIn({ hashtags }),
    mentions,
    likes: likeCount ?? 0,
    isShare: record.sharedTweetId !== undefined,
    language,
    place: location ? { latitude: location.latitude, longitude: location.longitude } : null,
    raw,
  };
}
