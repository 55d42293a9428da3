import { longTask, type DeclaredHandler, type TaskRun } from '../../kit/work/handler';
import type { Row } from '../../kit/cassandra/table';
import { createLoad } from '../../kit/reads/load';
import { bucketsOfList, listBuckets } from '../../kit/lists/list-buckets';
import { putAll } from '../../kit/writes/row-writer';
import { partitionRemovalOf, removalOf } from '../../kit/cassandra/write';
import { listPages } from '../../kit/lists/list-pages';
import { likesByTweet, likesByUser } from '../../features/like/like.lists';
import { sharesByTweet } from '../../features/tweet/tweet.lists';
import { tweets } from '../../features/tweet/tweet.table';
import { boundaryIn, boundaryOf, checkpointAt, chunksOf, upTo, type Boundary } from '../list-chunks';
import type { WriteContext } from '../write-context';
import { deleteIfStored } from './delete-tweet';

/** How many shares and likes a page has, and a chunk. */
const SHARES_PER_PAGE = 100;
const SHARES_PER_CHUNK = 200;
const LIKES_PER_PAGE = 1000;
const LIKES_PER_CHUNK = 5000;
/** A task removes this many shares or likes itself. If there are more, it splits. */
const SHARES_AT_ONCE = 1000;
const LIKES_AT_ONCE = 20_000;
/** About how many rows the deletion of a share reads and writes, besides those of timelines. */
const ROWS_PER_SHARE = 20;
/** The most rows of shares and likes that the task of a deletion reads and writes itself. */
export const ROWS_AT_ONCE = SHARES_AT_ONCE * ROWS_PER_SHARE + LIKES_AT_ONCE;

/** The shares of a tweet after a boundary, newest first, in pages. */
function sharesOf({ database }: WriteContext, tweetId: string, from: Boundary) {
  return listPages(
    database,
    (load) => sharesByTweet.list(load, tweetId),
    SHARES_PER_PAGE,
    from === '' ? null : { bucket: 0, key: [from] },
  );
}

const shareBoundary = ({ tweetId }: Pick<Row<typeof sharesByTweet>, 'tweetId'>) => boundaryOf(tweetId);

/**
 * Removes the shares of a tweet, from the last checkpoint on. Each page begins where the one before ended, not at the head
 * of the list: there are the tombstones of removed shares, and Cassandra refuses a read that passes more than 100,000. A
 * share stored at a position already passed is removed by the sharing itself, which reads the original last.
 */
export async function removeShares(
  writeContext: WriteContext,
  tweetId: string,
  task: TaskRun,
): Promise<void> {
  let from = boundaryIn(task.progress);
  let removed = 0;
  if (!task.hasSplit) {
    for await (const page of sharesOf(writeContext, tweetId, from)) {
      for (const share of page) await removeShare(writeContext, tweetId, share.tweetId);
      from = shareBoundary(page.at(-1) ?? { tweetId: from });
      await task.checkpoint(checkpointAt(from));
      if ((removed += page.length) >= SHARES_AT_ONCE) break;
    }
    if (removed < SHARES_AT_ONCE) return;
  }
  const cut = { kind: 'unshare', payload: { tweetId }, boundary: shareBoundary, size: SHARES_PER_CHUNK };
  await task.split('unshare', (last) => {
    const start = last ?? from;
    return chunksOf(sharesOf(writeContext, tweetId, start), start, cut);
  });
}

/** Removes a part of a deleted tweet's shares. */
export function unshareHandler(writeContext: WriteContext): DeclaredHandler {
  return longTask(
    { rows: SHARES_PER_CHUNK * ROWS_PER_SHARE },
    async ({ tweetId = '', from = '', to = '' }, { progress, checkpoint }) => {
      const start = boundaryIn(progress) || from;
      for await (const page of upTo(sharesOf(writeContext, tweetId, start), to, shareBoundary)) {
        for (const share of page) await removeShare(writeContext, tweetId, share.tweetId);
        const last = page.at(-1);
        if (last) await checkpoint(checkpointAt(shareBoundary(last)));
      }
    },
  );
}

async function removeShare(writeContext: WriteContext, tweetId: string, shareId: string): Promise<void> {
  const share = await createLoad(writeContext.database)(tweets.get, { tweetId: shareId });
  if (share) await deleteIfStored(writeContext, shareId);
  else
    await putAll(writeContext.bulk(), [
      removalOf(sharesByTweet, { sharedTweetId: tweetId, tweetId: shareId }),
    ]);
}

type Like = Row<typeof likesByTweet>;

/** The likes of a tweet after a boundary, newest first, in pages. */
function likesOf({ database }: WriteContext, tweetId: string, from: Boundary) {
  const [likedAt = '', userId = ''] = from.split(' ');
  return listPages(
    database,
    (load) => likesByTweet.list(load, tweetId),
    LIKES_PER_PAGE,
    from === '' ? null : { bucket: 0, key: [new Date(Number(likedAt)), userId] },
  );
}

const likeBoundary = ({ likedAt, userId }: Pick<Like, 'likedAt' | 'userId'>) => boundaryOf(likedAt, userId);

/** Removes the rows of `likes_by_user` that a page of likes has. */
async function removeLikesByUser(
  writeContext: WriteContext,
  tweetId: string,
  page: readonly Like[],
  at: number,
): Promise<void> {
  const removals = page.map(({ userId, likedAt }) =>
    removalOf(likesByUser, { userId, likedAt, tweetId }, at),
  );
  await putAll(writeContext.bulk(), removals);
}

/** Removes the likes of a deleted tweet; `at` is the write time of the removals. */
export async function removeLikes(
  writeContext: WriteContext,
  tweetId: string,
  at: number,
  task: TaskRun,
): Promise<void> {
  let last: Boundary = '';
  let removed = 0;
  if (!task.hasSplit)
    for await (const page of likesOf(writeContext, tweetId, '')) {
      await removeLikesByUser(writeContext, tweetId, page, at);
      last = page.map(likeBoundary).at(-1) ?? last;
      if ((removed += page.length) >= LIKES_AT_ONCE) break;
    }
  if (task.hasSplit || removed >= LIKES_AT_ONCE) {
    const payload = { tweetId, at: String(at) };
    const cut = { kind: 'unlike', payload, boundary: likeBoundary, size: LIKES_PER_CHUNK };
    await task.split('unlike', (from) => {
      const start = from ?? last;
      return chunksOf(likesOf(writeContext, tweetId, start), start, cut);
    });
  }
  const load = createLoad(writeContext.database);
  await putAll(writeContext.bulk(), [
    ...(await bucketsOfList(load, likesByTweet, tweetId)).map((bucket) =>
      partitionRemovalOf(likesByTweet, { tweetId, bucket }),
    ),
    partitionRemovalOf(listBuckets, { owner: tweetId, list: likesByTweet.name }),
  ]);
}

/** Removes a part of a deleted tweet's likes. */
export function unlikeHandler(writeContext: WriteContext): DeclaredHandler {
  return longTask({ rows: LIKES_PER_CHUNK }, async ({ tweetId = '', at = '0', from = '', to = '' }) => {
    for await (const page of upTo(likesOf(writeContext, tweetId, from), to, likeBoundary))
      await removeLikesByUser(writeContext, tweetId, page, Number(at));
  });
}
