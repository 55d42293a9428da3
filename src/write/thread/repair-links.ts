import { createGrowingCache } from '../../kit/base/growing-cache';
import type { Database } from '../../kit/cassandra/database';
import { readMany } from '../../kit/reads/load';
import type { RowWriter } from '../../kit/writes/row-writer';
import { deletedTweets } from '../../features/tweet/tweet.table';
import {
  followToEnd,
  readLinks,
  storeLinks,
  storeSharedAuthors,
  type TweetLinks,
  type WrongLinks,
} from './roots';

/** How many tweets are remembered with what they reply to. */
const MAX_REMEMBERED = 500_000;

/** Compares what tweets say of others with those others. */
type LinksCheck = (stored: readonly TweetLinks[]) => Promise<WrongLinks[]>;

/** Creates the check of the links of many tweets. It goes up from reply to reply, and remembers the way. */
export function createLinksCheck(database: Database): LinksCheck {
  const remembered = createGrowingCache<{ readonly parent: string | null }>(MAX_REMEMBERED);
  const parentsAbove = async (links: readonly TweetLinks[]) => {
    const parents = new Map(links.map(({ tweetId, inReplyToId }) => [tweetId, inReplyToId]));
    for (let open = [...parents.values()]; open.length > 0;) {
      const unknown = new Set(open.flatMap((id) => (id === null || parents.has(id) ? [] : id)));
      const missing: string[] = [];
      for (const id of unknown) {
        const known = remembered.get(id);
        if (known) parents.set(id, known.parent);
        else missing.push(id);
      }
      for (const [id, parent] of await readParents(database, missing)) {
        parents.set(id, parent);
        remembered.set(id, { parent });
      }
      open = Array.from(unknown, (id) => parents.get(id) ?? null);
    }
    return parents;
  };
  return async (stored) => {
    const [parents, authors] = await Promise.all([
      parentsAbove(stored.filter(({ sharedTweetId }) => sharedTweetId === null)),
      readAuthors(
        database,
        stored.flatMap(({ sharedTweetId }) => sharedTweetId ?? []),
      ),
    ]);
    return stored.flatMap((links) => {
      const { tweetId, sharedTweetId, sharedAuthorId, rootId } = links;
      const expected =
        sharedTweetId === null
          ? { ...links, rootId: followToEnd(tweetId, (id) => parents.get(id) ?? undefined) }
          : { ...links, sharedAuthorId: authors.get(sharedTweetId) ?? sharedAuthorId };
      const isRight = expected.rootId === rootId && expected.sharedAuthorId === sharedAuthorId;
      return isRight ? [] : [{ stored: links, expected }];
    });
  };
}

/** Reads the tweets that others reply to, by id, also for deleted ones. An unknown tweet replies to nothing. */
async function readParents(
  database: Database,
  tweetIds: readonly string[],
): Promise<Map<string, string | null>> {
  const links = await readLinks(database, tweetIds);
  const gone = tweetIds.filter((tweetId) => !links.has(tweetId)).map((tweetId) => ({ tweetId }));
  const deleted = await readMany(database, deletedTweets.get, gone);
  const parents = new Map(tweetIds.map((id) => [id, links.get(id)?.inReplyToId ?? null]));
  for (const row of deleted) if (row) parents.set(row.tweetId, row.inReplyToId);
  return parents;
}

/** The authors of tweets, by id; also of deleted ones. */
async function readAuthors(database: Database, tweetIds: readonly string[]): Promise<Map<string, string>> {
  const links = await readLinks(database, tweetIds);
  const gone = tweetIds.filter((tweetId) => !links.has(tweetId)).map((tweetId) => ({ tweetId }));
  const deleted = await readMany(database, deletedTweets.get, gone);
  return new Map(
    [...links.values(), ...deleted.flatMap((row) => row ?? [])].flatMap(({ tweetId, authorId }) =>
      authorId === null ? [] : [[tweetId, authorId] as const],
    ),
  );
}

/** Stores what tweets must say of others. */
export async function repairLinks(
  database: Database,
  writer: RowWriter,
  wrong: readonly WrongLinks[],
): Promise<void> {
  await storeLinks(
    database,
    writer,
    wrong.filter(({ stored }) => stored.sharedTweetId === null),
  );
  await storeSharedAuthors(
    database,
    writer,
    wrong.flatMap(({ expected }) => (expected.sharedTweetId === null ? [] : expected)),
  );
}
