import { longTask, type DeclaredHandler, type Payload, type TaskRun } from '../../kit/work/handler';
import type { Row } from '../../kit/cassandra/table';
import { putAll } from '../../kit/writes/row-writer';
import { removeList } from '../../kit/writes/remove-list';
import { removalsFrom } from '../../kit/lists/source';
import { listPages } from '../../kit/lists/list-pages';
import { likedTweets, likesByTweet, likesByUser } from '../../features/like/like.lists';
import { encodeBoundary, cutIntoChunks, pagesUpTo, type Boundary } from '../list-chunks';
import type { WriteServices } from '../write-services';

/** How many likes a page has, and a chunk. */
const LIKES_PER_PAGE = 1000;
const LIKES_PER_CHUNK = 5000;
/** A task removes this many likes itself. If there are more, it splits. */
export const LIKES_AT_ONCE = 20_000;

type Like = Row<typeof likesByTweet>;

/** The likes of a tweet after a boundary, newest first, in pages. */
function readLikePages({ database }: WriteServices, tweetId: string, from: Boundary) {
  const [likedAt = '', userId = ''] = from.split(' ');
  return listPages(
    database,
    (load) => likesByTweet.list(load, tweetId),
    LIKES_PER_PAGE,
    from === '' ? null : { bucket: 0, key: [new Date(Number(likedAt)), userId] },
  );
}

const likeBoundary = ({ likedAt, userId }: Pick<Like, 'likedAt' | 'userId'>) =>
  encodeBoundary(likedAt, userId);

/** Removes the rows by user that a page of likes has. */
async function removeLikesByUser(
  writeServices: WriteServices,
  tweetId: string,
  page: readonly Like[],
  at: number,
): Promise<void> {
  const removals = page.flatMap((one) => removalsFrom([likesByUser, likedTweets], { ...one, tweetId }, at));
  await putAll(writeServices.bulk(), removals);
}

/** Removes the likes of a deleted tweet; `at` is the write time of the removals. */
export async function removeLikes(
  writeServices: WriteServices,
  { tweetId, authorId }: { readonly tweetId: string; readonly authorId: string },
  at: number,
  task: TaskRun,
): Promise<void> {
  let last: Boundary = '';
  let removed = 0;
  if (!task.hasSplit)
    for await (const page of readLikePages(writeServices, tweetId, '')) {
      await removeLikesByUser(writeServices, tweetId, page, at);
      last = page.map(likeBoundary).at(-1) ?? last;
      if ((removed += page.length) >= LIKES_AT_ONCE) break;
    }
  if (task.hasSplit || removed >= LIKES_AT_ONCE) {
    const payload = { tweetId, authorId, at: String(at) };
    const cut = { kind: 'unlike', payload, boundary: likeBoundary, size: LIKES_PER_CHUNK };
    await task.split('unlike', (from) => {
      const start = from ?? last;
      return cutIntoChunks(readLikePages(writeServices, tweetId, start), start, cut);
    });
  }
  await removeList(writeServices.database, writeServices.bulk(), likesByTweet, tweetId);
}

/** Removes a part of a deleted tweet's likes. */
export function unlikeHandler(writeServices: WriteServices): DeclaredHandler {
  const work = { rows: LIKES_PER_CHUNK, person: ({ authorId }: Payload) => authorId };
  return longTask(work, async ({ tweetId = '', at = '0', from = '', to = '' }) => {
    for await (const page of pagesUpTo(readLikePages(writeServices, tweetId, from), to, likeBoundary))
      await removeLikesByUser(writeServices, tweetId, page, Number(at));
  });
}
