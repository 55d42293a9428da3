import { cutIn } from '../../features/tweet/cut';
import type { StoredTweet } from '../../features/tweet/tweet.table';
import type { TweetRecord } from '../records/record';
import { isChanged } from './changed-tweets';
import type { Outcome } from './outcome';
import { makeTweetRow, type Authored } from './rows';

/** Counts that records give, by the columns that store them. One that no record gives is absent. */
interface Counts {
  readonly importedLikes?: number;
  readonly importedShares?: number;
  readonly importedReplies?: number;
  readonly importedQuotes?: number;
}

/** The version of a tweet that is to be stored, of which some records are at hand. */
export interface Version {
  /** The row that is stored; null if there is none. */
  readonly stored: StoredTweet | null;
  /** The record to store, with the last counts that any of them gives; undefined if what is stored is more whole than all of them. */
  readonly authored: Authored | undefined;
  /** The last counts that the records give. */
  readonly counts: Counts;
  /** The index of the last record that was not refused. */
  readonly index: number;
}

/** The versions to store, by tweet id, and what becomes of each record. */
interface Chosen {
  readonly versions: ReadonlyMap<string, Version>;
  readonly outcomes: readonly Outcome[];
}

/**
 * Chooses what is to be stored of each tweet, by going through its records in their order, as if each was imported alone. The last one
 * counts, but neither a cut text nor a copy that another tweet embeds takes the place of a whole one, and no cut text that of a longer
 * one. A link that a record does not have stays, because many sources have none. A record by another author is refused: it is another
 * tweet, whose id was spoilt. `nameOf` gives the name of an author, for that message.
 */
export function chooseVersions(
  authored: readonly Authored[],
  stored: ReadonlyMap<string, StoredTweet>,
  nameOf: (userId: string) => string,
): Chosen {
  const versions = new Map<string, Version & { readonly row: StoredTweet }>();
  const outcomes = authored.map(({ record: given, authorId }, index): Outcome => {
    const { tweetId } = given;
    const before = versions.get(tweetId);
    const former = before?.row ?? stored.get(tweetId) ?? null;
    const record = withLinksOf(former, given);
    const row = makeTweetRow(record, authorId);
    if (former !== null && former.authorId !== authorId)
      return { refused: anotherAuthor(tweetId, nameOf(former.authorId)) };
    const counts = { ...before?.counts, ...givenCounts(record) };
    const isTaken = former === null || replaces(record, former, before?.authored?.record);
    versions.set(tweetId, {
      stored: before?.stored ?? stored.get(tweetId) ?? null,
      row: isTaken ? row : former,
      authored: isTaken ? { record, authorId } : before?.authored,
      counts,
      index,
    });
    if (former === null) return 'stored';
    const isOther = isTaken && isChanged(row, former);
    return isOther || (before !== undefined && countsDiffer(counts, before.counts)) ? 'changed' : 'unchanged';
  });
  return {
    versions: new Map([...versions].map(([tweetId, version]) => [tweetId, withCounts(version)])),
    outcomes,
  };
}

/** A record with the links of the former version of its tweet that it has not itself. A share is no reply and quotes nothing. */
function withLinksOf(former: StoredTweet | null, record: TweetRecord): TweetRecord {
  if (former === null) return record;
  const { inReplyToId, sharedTweetId, quotedTweetId } = record;
  if (sharedTweetId !== undefined) return record;
  if (former.sharedTweetId !== null && inReplyToId === undefined && quotedTweetId === undefined)
    return { ...record, sharedTweetId: former.sharedTweetId };
  const [reply, quote] = [inReplyToId ?? former.inReplyToId, quotedTweetId ?? former.quotedTweetId];
  return {
    ...record,
    ...(reply !== null && { inReplyToId: reply }),
    ...(quote !== null && { quotedTweetId: quote }),
  };
}

/**
 * Decides the outcome of each record. A record whose tweet was not `taken`, because it was deleted here or shared before, changes nothing.
 * The last record of a `recounted` tweet changes at least its counts.
 */
export function decideOutcomes(
  authored: readonly Authored[],
  { versions, outcomes }: Chosen,
  { taken, recounted }: { readonly taken: ReadonlySet<string>; readonly recounted: ReadonlySet<string> },
): Outcome[] {
  return outcomes.map((outcome, index) => {
    const tweetId = authored[index]?.record.tweetId ?? '';
    const version = versions.get(tweetId);
    if (typeof outcome === 'object') return outcome;
    if (version?.authored !== undefined && !taken.has(tweetId)) return 'unchanged';
    return outcome === 'unchanged' && version?.index === index && recounted.has(tweetId)
      ? 'changed'
      : outcome;
  });
}

/** Whether some counts say anything else than others, of which one that is null says nothing. */
export function countsDiffer(
  counts: Counts,
  others: { readonly [K in keyof Counts]?: number | null },
): boolean {
  return (['importedLikes', 'importedShares', 'importedReplies', 'importedQuotes'] as const).some(
    (name) => counts[name] !== undefined && counts[name] !== (others[name] ?? null),
  );
}

function withCounts(version: Version): Version {
  const { authored, counts } = version;
  return authored === undefined
    ? version
    : { ...version, authored: { ...authored, record: { ...authored.record, ...givenIn(counts) } } };
}

/** Whether a record takes the place of a row, which is made of the record `source` or, if that is undefined, stored. */
function replaces(record: TweetRecord, former: StoredTweet, source: TweetRecord | undefined): boolean {
  if (record.completeness === undefined) return true;
  // Without an ellipsis, only a record tells that its text is cut.
  const isCut = source === undefined ? cutIn(former.content) !== null : source.completeness === 'cut';
  return isCut && (record.completeness === 'copy' || record.content.length >= former.content.length);
}

/** The counts that a record gives. */
function givenCounts({ likeCount, shareCount, replyCount, quoteCount }: TweetRecord): Counts {
  return {
    ...(likeCount !== undefined && { importedLikes: likeCount }),
    ...(shareCount !== undefined && { importedShares: shareCount }),
    ...(replyCount !== undefined && { importedReplies: replyCount }),
    ...(quoteCount !== undefined && { importedQuotes: quoteCount }),
  };
}

/** Counts as a record gives them. */
function givenIn({
  importedLikes,
  importedShares,
  importedReplies,
  importedQuotes,
}: Counts): Partial<TweetRecord> {
  return {
    ...(importedLikes !== undefined && { likeCount: importedLikes }),
    ...(importedShares !== undefined && { shareCount: importedShares }),
    ...(importedReplies !== undefined && { replyCount: importedReplies }),
    ...(importedQuotes !== undefined && { quoteCount: importedQuotes }),
  };
}

function anotherAuthor(tweetId: string, author: string): string {
  return `the id is another author's tweet, or a spreadsheet has rounded it: ${tweetId} is by ${author}`;
}
