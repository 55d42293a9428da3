import type { Write } from '../../src/kit/cassandra/database';
import { buckets, dayOf, monthOf } from '../../src/kit/lists/buckets';
import { writeOf } from '../../src/kit/cassandra/write';

/** Whose lists are walked. */
export const OWNER = '1';

/** The tweet that all reply to and like. */
export const ORIGINAL = '900';

/** The nth item of a list, oldest first: an id, of three digits or four, and a moment some hours after the one before. */
export const idOf = (n: number) => String(950 + n);

export const momentOf = (n: number) => new Date(Date.UTC(2025, 10, 1) + n * 15 * 3_600_000);

/** A tweet's row in the lists of tweets. */
export function tweetRow(n: number, authorId: string) {
  const none = {
    location: null,
    hashtags: null,
    mentions: null,
    inReplyToId: null,
    sharedTweetId: null,
    sharedAuthorId: null,
    quotedTweetId: null,
  };
  return { ...none, tweetId: idOf(n), authorId, content: '', createdAt: momentOf(n), language: 'en' };
}

/** Which item it is that has this id, or this moment. */
export const numberOf = (key: string) =>
  key.includes('T')
    ? (Date.parse(key) - Number(momentOf(0))) / (15 * 3_600_000)
    : Number(key) - Number(idOf(0));

/** The bucket of the nth item, where buckets are months and days. */
export const month = (n: number) => ({ bucket: monthOf(momentOf(n)) });

export const date = (n: number) => ({ bucket: dayOf(momentOf(n)) });

/** The row by which a list finds the month of its nth item. */
export const monthRow = (list: string, owner: string, n: number) =>
  writeOf(buckets, { owner, list, ...month(n) });

/** What is asked of a page; `key` tells which item it is. */
export const PAGE_FIELDS = (key: string) =>
  `{ edges { cursor node { key: ${key} } } nodes { key: ${key} } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } }`;

/** A list, with what puts its nth item in and takes it out. */
export interface Listed {
  readonly field: string;
  readonly ask: (page: string) => string;
  readonly put: (n: number) => readonly Write[];
  readonly remove: (n: number) => readonly Write[];
  /** Which item has a key, if that is not told by `numberOf`. */
  readonly numberOf?: (key: string) => number;
  /** Where it pages by `first` alone. */
  readonly forwardsOnly?: boolean;
}

/** Asks for a page of a list of the user `OWNER`; `key` tells which item it is. */
export const ofUser = (field: string, key: string) => (page: string) =>
  `{ user(username: "ada") { list: ${field}(${page}) ${PAGE_FIELDS(key)} } }`;

/** Asks for a page of a list of `Query`, whose arguments say `PAGE`. */
export const ofQuery = (call: string, key: string) => (page: string) =>
  `{ list: ${call.replace('PAGE', page)} ${PAGE_FIELDS(key)} }`;

/** The day that lists of one day are asked for. */
export const day = { day: '2025-11-01' };
