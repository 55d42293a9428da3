import type { LRUCache } from 'lru-cache';
import type { Database } from '../../kit/cassandra/database';
import { createLoad } from '../../kit/reads/load';
import type { RowWriter } from '../../kit/writes/row-writer';
import { tallies } from '../../kit/work/tally';
import { deletedAmong, removeReturned } from '../../write/tweet/returned';
import { makeTweetRow, makeShareRow, type Authored } from './rows';

/** Leaves out tweets that were deleted here, and shares of such tweets: a deletion is final. */
export async function withoutDeleted(database: Database, authored: readonly Authored[]): Promise<Authored[]> {
  const idsOf = ({ record: { tweetId, sharedTweetId } }: Authored) => [tweetId, sharedTweetId ?? []].flat();
  const deleted = await deletedAmong(database, authored.flatMap(idsOf));
  return authored.filter((tweet) => !idsOf(tweet).some((id) => deleted.has(id)));
}

/** Removes shares that were stored although their originals were deleted meanwhile: the deletion may not have seen them. */
export async function removeOrphans(
  database: Database,
  writer: RowWriter,
  authored: readonly Authored[],
): Promise<void> {
  const shares = authored.flatMap(({ record, authorId }) => {
    const original = record.sharedTweetId;
    return original === undefined ? [] : [{ original, share: makeTweetRow(record, authorId) }];
  });
  const deleted = await deletedAmong(
    database,
    shares.map(({ original }) => original),
  );
  const at = Date.now() * 1000;
  for (const { original, share } of shares) {
    if (!deleted.has(original)) continue;
    await removeReturned(writer, share, at);
  }
  await writer.flush();
}

/** Leaves out second shares: of two shares of one tweet by the same author, the one that was stored first stays. */
export async function withoutSecondShares(
  database: Database,
  shared: LRUCache<string, string>,
  authored: readonly Authored[],
): Promise<Authored[]> {
  const load = createLoad(database);
  await Promise.all(
    authored.map(async ({ record: { sharedTweetId }, authorId }) => {
      const key = `${authorId} ${sharedTweetId ?? ''}`;
      if (sharedTweetId === undefined || shared.has(key)) return;
      const share = await load(tallies.get, makeShareRow(sharedTweetId, authorId));
      if (share?.item != null) shared.set(key, share.item);
    }),
  );
  return authored.filter(({ record: { tweetId, sharedTweetId }, authorId }) => {
    if (sharedTweetId === undefined) return true;
    const key = `${authorId} ${sharedTweetId}`;
    const first = shared.get(key) ?? tweetId;
    shared.set(key, first);
    return first === tweetId;
  });
}
