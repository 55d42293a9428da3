import { compareIds } from '../../kit/base/ids';
import type { Database } from '../../kit/cassandra/database';
import type { Row } from '../../kit/cassandra/table';
import { writeOf } from '../../kit/cassandra/write';
import { listPages } from '../../kit/lists/list-pages';
import { readMany } from '../../kit/reads/load';
import { putAll, type RowWriter } from '../../kit/writes/row-writer';
import { repliesByTweet, sharesByTweet } from '../../features/tweet/tweet.lists';
import { threadEntries } from '../../features/thread/thread.lists';
import { deletedTweets, rootOf, tweetLinks, tweets } from '../../features/tweet/tweet.table';
import { invalidateTweets } from '../tweet/invalidate-tweet';
import { buildEntryRemoval, buildThreadEntry } from '../tweet/thread-entries';
import { tweetRows } from '../tweet/tweet-rows';

/** The links of a tweet to others. */
export type TweetLinks = Row<typeof tweetLinks>;

/** How many replies are read at a time: each of them has its whole text. */
const REPLIES_AT_ONCE = 200;
/** How many shares, or rows of conversations, are read at a time. */
const ROWS_AT_ONCE = 1000;
/** How many roots are followed: each is one whose own conversation an import has found to begin elsewhere. */
const MAX_FOLLOWED = 10_000;

/** Reads what tweets say of others, by id. */
export async function readLinks(
  database: Database,
  tweetIds: Iterable<string>,
): Promise<Map<string, TweetLinks>> {
  const keys = Array.from(new Set(tweetIds), (tweetId) => ({ tweetId }));
  const found = await readMany(database, tweetLinks.get, keys);
  return new Map(found.flatMap((links) => (links === null ? [] : [[links.tweetId, links]])));
}

/**
 * Follows names from one to the next up to the one that has none. Tweets of an import may reply to each other in a circle: then the oldest
 * of the circle is the end.
 */
export function followToEnd(start: string, nextOf: (id: string) => string | undefined): string {
  const passed = [start];
  const places = new Map([[start, 0]]);
  for (let last = start; ;) {
    const next = nextOf(last);
    if (next === undefined) return last;
    const place = places.get(next);
    if (place !== undefined)
      return passed.slice(place).reduce((least, id) => (compareIds(id, least) < 0 ? id : least));
    places.set(next, passed.push(next) - 1);
    last = next;
  }
}

/**
 * Returns the roots of the conversations of tweets, by their stored roots. A root that is not stored stands for its conversation; if an
 * import brings it later and it is a reply, its own root takes its place.
 */
export async function finalRoots(
  database: Database,
  roots: Iterable<string>,
): Promise<(rootId: string) => string> {
  const next = new Map<string, string>();
  const passed = new Set<string>();
  for (let open = new Set(roots), n = 0; open.size > 0 && n < MAX_FOLLOWED; n++) {
    const links = await readLinks(database, open);
    for (const id of open) passed.add(id);
    open = new Set();
    for (const [id, link] of links) {
      const root = rootOf(link);
      if (root !== id) next.set(id, root);
      if (!passed.has(root)) open.add(root);
    }
  }
  return (rootId) => followToEnd(rootId, (id) => next.get(id));
}

/** Gives a root to the tweets in the conversation below a tweet that have another one. Resolves to how many were changed. */
export async function setRootBelow(
  database: Database,
  writer: RowWriter,
  tweetId: string,
  rootId: string,
): Promise<number> {
  let changed = 0;
  const open = [tweetId];
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    const parentId = parent;
    const pages = listPages(database, (load) => repliesByTweet.list(load, parentId), REPLIES_AT_ONCE);
    for await (const page of pages) {
      const links = await readLinks(
        database,
        page.map((reply) => reply.tweetId),
      );
      const others = [...links.values()].filter((link) => link.rootId !== rootId);
      await storeLinks(
        database,
        writer,
        others.map((stored) => ({ stored, expected: { ...stored, rootId } })),
      );
      open.push(...others.map((link) => link.tweetId));
      changed += others.length;
    }
  }
  return changed;
}

/** Moves the deleted replies of a conversation to the one that it is a part of. Others have been moved with their roots. */
export async function moveDeleted(
  database: Database,
  writer: RowWriter,
  from: string,
  rootId: string,
): Promise<void> {
  const pages = listPages(database, (load) => threadEntries.list(load, from), ROWS_AT_ONCE);
  for await (const page of pages) {
    const keys = page.filter(({ isGone }) => isGone === true).map(({ tweetId }) => ({ tweetId }));
    const deleted = (await readMany(database, deletedTweets.get, keys)).flatMap((row) => row ?? []);
    const writes = deleted.flatMap((row) => [
      writeOf(deletedTweets, { ...row, rootId }),
      ...buildEntryRemoval({ ...row, rootId: from }),
      ...buildThreadEntry({ ...row, rootId }, { isGone: true }),
    ]);
    await putAll(writer, writes);
  }
}

/** A tweet whose links are not what those of others say. */
export interface WrongLinks {
  readonly stored: TweetLinks;
  readonly expected: TweetLinks;
}

/** Stores what tweets say of others, and moves them to the conversations that they are in. The tweets must exist. */
export async function storeLinks(
  database: Database,
  writer: RowWriter,
  wrong: readonly WrongLinks[],
): Promise<void> {
  const writes = wrong.flatMap(({ stored, expected }) => [
    writeOf(tweetLinks, expected),
    ...(stored.rootId === expected.rootId ? [] : buildEntryRemoval(stored)),
    ...buildThreadEntry(expected),
  ]);
  await whileInvalidated(
    database,
    wrong.map(({ stored }) => stored.tweetId),
    () => putAll(writer, writes),
  );
}

/** Changes tweets, of which servers keep copies for a minute. */
export async function whileInvalidated(
  database: Database,
  tweetIds: readonly string[],
  change: () => Promise<void>,
): Promise<void> {
  if (tweetIds.length === 0) return;
  await invalidateTweets(database, tweetIds);
  await change();
  await invalidateTweets(database, tweetIds);
}

/** Stores the author of a tweet with its shares that name another one, or none. Resolves to the authors of those shares. */
export async function nameSharedAuthor(
  database: Database,
  writer: RowWriter,
  { tweetId, authorId }: Pick<TweetLinks, 'tweetId' | 'authorId'>,
): Promise<string[]> {
  const sharers: string[] = [];
  const pages = listPages(database, (load) => sharesByTweet.list(load, tweetId), ROWS_AT_ONCE);
  for await (const page of pages) {
    const links = await readLinks(
      database,
      page.map((share) => share.tweetId),
    );
    const others = [...links.values()].filter(({ sharedAuthorId }) => sharedAuthorId !== authorId);
    await storeSharedAuthors(
      database,
      writer,
      others.map((link) => ({ ...link, sharedAuthorId: authorId })),
    );
    sharers.push(...others.map((link) => link.authorId));
  }
  return sharers;
}

/** Stores the authors of what shares share, in all lists but timelines. */
export async function storeSharedAuthors(
  database: Database,
  writer: RowWriter,
  links: readonly TweetLinks[],
): Promise<void> {
  const stored = await readMany(database, tweets.get, links);
  const shares = stored.flatMap((share, index) =>
    share === null ? [] : [{ ...share, sharedAuthorId: links[index]?.sharedAuthorId ?? null }],
  );
  await whileInvalidated(
    database,
    shares.map((share) => share.tweetId),
    () => putAll(writer, shares.flatMap(tweetRows)),
  );
}
