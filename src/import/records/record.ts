/** A person as a source names them: by id, by username or by both; at least one of the two is set. */
export interface Person {
  /** Decimal, 0 … 2^63-1, as the source has it. Absent if the source has usernames only. */
  readonly userId?: string;
  /** The username as written in the source. Absent if the source has ids only. */
  readonly username?: string;
}

/** A user's profile in a source. */
export interface UserRecord extends Person {
  readonly kind: 'user';
  readonly name: string;
  readonly description?: string;
  /** Whether the source is one of Twitter's formats: the username is then also the Twitter account. */
  readonly onTwitter: boolean;
  /** The Twitter account, if it is another name than the username. */
  readonly twitterAccount?: string;
  readonly createdAt?: Date;
}

/** One user follows another. */
export interface FollowRecord {
  readonly kind: 'follow';
  readonly follower: Person;
  readonly followee: Person;
  readonly followedAt?: Date;
}

/** A tweet, reply, quote or share (retweet). Its author may have no `UserRecord`. */
export interface TweetRecord {
  readonly kind: 'tweet';
  /** Decimal, 1 … 2^63-1. */
  readonly tweetId: string;
  readonly author: Person;
  readonly content: string;
  readonly createdAt: Date;
  /** BCP 47; detected from the text if the source has none; `und` if that fails. */
  readonly language: string;
  readonly location?: { readonly latitude: number; readonly longitude: number; readonly country?: string };
  readonly hashtags: readonly string[];
  readonly mentions: readonly string[];
  readonly inReplyToId?: string;
  readonly sharedTweetId?: string;
  readonly quotedTweetId?: string;
  /** Absent if the source does not give the count; 0 only if the source says 0. */
  readonly likeCount?: number;
  readonly shareCount?: number;
  readonly replyCount?: number;
  readonly quoteCount?: number;
  /** `cut` if the text is not whole; `copy` if it came embedded in another tweet. Neither replaces a whole tweet. */
  readonly completeness?: 'cut' | 'copy';
  /** The source's record as JSON text: the object byte for byte, or for a CSV row an object from column to string. */
  readonly raw: string;
}

export type ImportRecord = UserRecord | FollowRecord | TweetRecord;

/**
 * The result of parsing one row of a source: its records in the order to store them, which are the profiles that came with the
 * row and then its own: one, or the tweet and the share that a retweet of Twint is. Besides, the columns of the optional values that could not be read; or why it is rejected.
 * `source` is the row as it was.
 */
export type Parsed = { readonly line: number; readonly source: string } & (
  | { readonly records: readonly ImportRecord[]; readonly dropped?: readonly string[] }
  | { readonly rejected: string }
);

/** The columns of a CSV format, by which it is recognised. */
export interface CsvColumns {
  /** All of these must be there. */
  readonly required: readonly string[];
  /** The further columns that are read. */
  readonly optional: readonly string[];
  /** A file with any other column of such a name, in lower case, has more in its rows than the format reads, so it is of another format. */
  readonly foreign?: RegExp;
}

/** The facts about a file, besides its text, that a format must know. */
interface ArchiveFacts {
  /** The owner of the archive that the file is a part of; undefined if no `account.js` is beside it. */
  owner(): Promise<Person | undefined>;
}

/** One input format. */
export interface Format {
  /** The name that `--format` takes. */
  readonly name: string;
  /** One line that describes the format. */
  readonly summary: string;
  /** The columns of a CSV format. */
  readonly columns?: CsvColumns;
  /** Whether a file that begins with `head`, up to 64 KiB without a byte order mark, is of this format. Absent for CSV. */
  detect?(head: Buffer): boolean;
  /** Says why a file that begins with `head` is not of this format; undefined if it is nothing like that. */
  describeNear?(head: Buffer): string | undefined;
  /** Streams the rows of a file of this format in batches, in the file's order. `line` counts from 1. Throws a `FileError`. */
  read(bytes: AsyncIterable<Buffer>, context?: ArchiveFacts): AsyncIterable<readonly Parsed[]>;
}

/** Why no row of a file can be imported. */
export class FileError extends Error {
  readonly code = 'FILE_REFUSED';
}
