/** A person as a source names one: by number, by username, or both. Never neither. */
export interface Person {
  /** Decimal, 1 … 2^63-1, as the source has it. Absent where the source names people by username only. */
  readonly userId?: string;
  /** As written in the source. Absent where the source names people by a number only. */
  readonly username?: string;
}

/** A profile that a source gives. */
export interface UserRecord extends Person {
  readonly kind: 'user';
  readonly name: string;
  readonly description?: string;
  /** True where the source is one of Twitter's formats: the username is then also the Twitter account. */
  readonly onTwitter: boolean;
  readonly createdAt?: Date;
}

/** One account following another. */
export interface FollowRecord {
  readonly kind: 'follow';
  readonly follower: Person;
  readonly followee: Person;
  readonly followedAt?: Date;
}

/** A tweet, reply, quote or share. Its author may have no `UserRecord`. */
export interface TweetRecord {
  readonly kind: 'tweet';
  /** Decimal, 1 … 2^63-1. */
  readonly tweetId: string;
  readonly author: Person;
  readonly content: string;
  readonly createdAt: Date;
  /** BCP 47; detected from the text where the source has none; `und` where that fails. */
  readonly language: string;
  readonly location?: { readonly latitude: number; readonly longitude: number; readonly country?: string };
  readonly hashtags: readonly string[];
  readonly mentions: readonly string[];
  readonly inReplyToId?: string;
  readonly sharedTweetId?: string;
  readonly quotedTweetId?: string;
  /** Absent where the source does not say; 0 only where it says so. */
  readonly likeCount?: number;
  readonly shareCount?: number;
  readonly replyCount?: number;
  /** The source's record as JSON text: the object byte for byte, or for a CSV row an object of column to string. */
  readonly raw: string;
}

export type ImportRecord = UserRecord | FollowRecord | TweetRecord;

/** What one row of a source became: its records in an order fit for storing (profiles first), or why it is refused. */
export type Parsed =
  | { readonly line: number; readonly records: readonly ImportRecord[] }
  | { readonly line: number; readonly rejected: string; readonly source: string };

/** One input format. */
export interface Format {
  /** The name that `--format` takes. */
  readonly name: string;
  /** One line for `--help`: what the format is. */
  readonly summary: string;
  /** Whether a file that begins with `head` (up to 64 KiB of decoded text) is of this format. */
  detect(head: string): boolean;
  /** Streams a file of this format, some rows at a time, in the file's order. `line` counts from 1 as an editor does. */
  read(text: AsyncIterable<Buffer>): AsyncIterable<readonly Parsed[]>;
}
