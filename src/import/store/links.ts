import type { Database } from '../../kit/cassandra/database';
import { readMany } from '../../kit/reads/load';
import type { RowWriter } from '../../kit/writes/row-writer';
import { deletedTweets, rootOf, type StoredTweet } from '../../features/tweet/tweet.table';
import { createLinksCheck, repairLinks } from '../../write/thread/repair-links';
import {
  finalRoots,
  followToEnd,
  moveDeleted,
  nameSharedAuthor,
  readLinks,
  setRootBelow,
  type TweetLinks,
} from '../../write/thread/roots';

/** How many tweets are remembered at most whose replies or shares may have come before them. If there are more, they are settled at once. */
const MAX_REMEMBERED = 100_000;
/** How many of them are settled at a time. */
const SETTLED_AT_ONCE = 100;

/** The places of an import's tweets in conversations, and the authors of the tweets that its shares share. */
export interface ImportedLinks {
  /** Fills in the roots of tweets, and the authors of what shares share, as far as these are known. */
  link(rows: readonly StoredTweet[]): Promise<StoredTweet[]>;
  /** Remembers stored tweets whose replies, or shares, may have been stored before them. */
  arrived(tweetIds: readonly string[]): Promise<void>;
  /** Gives the replies and shares of the remembered tweets their roots and authors. */
  settle(): Promise<void>;
}

/** Creates the `ImportedLinks` of an import. `onShare` is given the authors of shares that are changed. */
export function createLinks(
  database: Database,
  writer: RowWriter,
  onShare: (authorId: string) => void,
): ImportedLinks {
  const late = new Set<string>();
  const settle = async () => {
    const ids = [...late];
    late.clear();
    for (let n = 0; n < ids.length; n += SETTLED_AT_ONCE)
      await settleLinks(database, writer, ids.slice(n, n + SETTLED_AT_ONCE), onShare);
  };
  return {
    link: (rows) => linkRows(database, rows),
    async arrived(tweetIds) {
      for (const tweetId of tweetIds) late.add(tweetId);
      if (late.size > MAX_REMEMBERED) await settle();
    },
    settle,
  };
}

/** Fills in what tweets say of others, which are among them or stored. */
async function linkRows(database: Database, rows: readonly StoredTweet[]): Promise<StoredTweet[]> {
  const own = new Map(rows.map((row) => [row.tweetId, row]));
  const named = rows.flatMap(({ inReplyToId, sharedTweetId }) =>
    [inReplyToId ?? [], sharedTweetId ?? []].flat(),
  );
  const stored = await readLinks(
    database,
    named.filter((id) => !own.has(id)),
  );
  const rootAt = await outerRoots(database, rows, own, stored);
  const rootOfOwn = new Map<string, string>();
  const nextOf = (id: string) => {
    const known = rootOfOwn.get(id);
    if (known !== undefined) return known === id ? undefined : known;
    const row = own.get(id);
    if (row === undefined || row.inReplyToId === null) return undefined;
    return own.has(row.inReplyToId) ? row.inReplyToId : rootAt(row.inReplyToId);
  };
  // The roots on the way are remembered: a conversation may be as long as a batch.
  const findRoot = (tweetId: string) => {
    const passed: string[] = [];
    const rootId = followToEnd(tweetId, (id) => {
      passed.push(id);
      return nextOf(id);
    });
    for (const id of passed) rootOfOwn.set(id, rootId);
    return rootId;
  };
  return rows.map((row) => {
    const { tweetId, sharedTweetId } = row;
    if (sharedTweetId === null) return { ...row, rootId: findRoot(tweetId) };
    const original = own.get(sharedTweetId) ?? stored.get(sharedTweetId);
    return { ...row, sharedAuthorId: original?.authorId ?? null };
  });
}

/** The roots of tweets that are replied to and are not among the rows: also of deleted ones. An unknown one stands for its own conversation. */
async function outerRoots(
  database: Database,
  rows: readonly StoredTweet[],
  own: ReadonlyMap<string, StoredTweet>,
  stored: ReadonlyMap<string, TweetLinks>,
): Promise<(tweetId: string) => string> {
  const parents = new Set(rows.flatMap(({ inReplyToId }) => inReplyToId ?? []).filter((id) => !own.has(id)));
  const unknown = [...parents].filter((id) => !stored.has(id)).map((tweetId) => ({ tweetId }));
  const deleted = await readMany(database, deletedTweets.get, unknown);
  const roots = new Map<string, string>();
  for (const id of parents) {
    const links = stored.get(id);
    roots.set(id, links ? rootOf(links) : id);
  }
  for (const row of deleted) if (row?.rootId != null) roots.set(row.tweetId, row.rootId);
  const finalOf = await finalRoots(database, roots.values());
  return (id) => finalOf(roots.get(id) ?? id);
}

/** Whether a tweet has itself for root, although it replies: then it replies, over others, to itself. */
export function isInCircle({
  tweetId,
  inReplyToId,
  rootId,
}: Pick<TweetLinks, 'tweetId' | 'inReplyToId' | 'rootId'>) {
  return inReplyToId !== null && rootId === tweetId;
}

/** The root of a tweet in a circle, which is the oldest of those in it. */
async function rootOfCircle(database: Database, writer: RowWriter, link: TweetLinks): Promise<string> {
  const wrong = await createLinksCheck(database)([link]);
  await repairLinks(database, writer, wrong);
  return rootOf(wrong[0]?.expected ?? link);
}

/** Settles tweets whose replies or shares may have come before them. */
async function settleLinks(
  database: Database,
  writer: RowWriter,
  tweetIds: readonly string[],
  onShare: (authorId: string) => void,
): Promise<void> {
  const links = await readLinks(database, tweetIds);
  const finalOf = await finalRoots(database, Array.from(links.values(), rootOf));
  await Promise.all(
    Array.from(links.values(), async (link) => {
      const rootId = isInCircle(link) ? await rootOfCircle(database, writer, link) : finalOf(rootOf(link));
      // Replies that came first have taken a tweet that was not there for the root.
      if (rootId !== link.tweetId) {
        await setRootBelow(database, writer, link.tweetId, rootId);
        await moveDeleted(database, writer, link.tweetId, rootId);
      }
      for (const authorId of await nameSharedAuthor(database, writer, link)) onShare(authorId);
    }),
  );
}
