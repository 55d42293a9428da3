import { followersByUser } from '../../follow/follow.table';
import type { Row } from '../../kit/cassandra/table';
import { createLoad } from '../../kit/data/load';
import { bucketsOf } from '../../kit/data/buckets';
import { deletedByAuthor, tweetsByAuthor } from '../../tweet/tweet.table';
import type { WriteContext } from '../write-context';

/** How many rows a page has. */
const PAGE_ROWS = 1000;

/** The position of a follower in a list of followers. */
export interface FollowerPosition {
  readonly bucket: number;
  readonly followedAt: Date;
  readonly followerId: string;
}

/** A user's followers, newest first, in pages of 1,000; only those behind `from`, if that is given. */
export async function* followersOf(
  { database }: Pick<WriteContext, 'database'>,
  userId: string,
  from: FollowerPosition | null = null,
): AsyncIterable<readonly Row<typeof followersByUser>[]> {
  const buckets = await bucketsOf(createLoad(database), [{ list: followersByUser.name, owner: userId }]);
  for (const bucket of buckets) {
    if (from !== null && bucket > from.bucket) continue;
    const read = (after?: readonly unknown[]) => {
      const page = createLoad(database)(followersByUser.page, { userId, bucket, after, limit: PAGE_ROWS });
      // The consumer may stop before this page. Then nobody handles its error.
      page.catch(() => undefined);
      return page;
    };
    let next = read(from?.bucket === bucket ? [from.followedAt, from.followerId] : undefined);
    for (;;) {
      const page = await next;
      const last = page.length < PAGE_ROWS ? undefined : page.at(-1);
      // Read ahead, while the consumer works on this page.
      if (last !== undefined) next = read([last.followedAt, last.followerId]);
      if (page.length > 0) yield page;
      if (last === undefined) break;
    }
  }
}

/** An author's tweets of the month `oldestMonth` or later, newest first, in pages of `size`. */
export async function* tweetsOf(
  { database }: Pick<WriteContext, 'database'>,
  authorId: string,
  oldestMonth: number,
  size = PAGE_ROWS,
): AsyncIterable<readonly Row<typeof tweetsByAuthor>[]> {
  const buckets = await bucketsOf(createLoad(database), [{ list: tweetsByAuthor.name, owner: authorId }]);
  for (const bucket of buckets) {
    if (bucket < oldestMonth) return;
    for (let after: string[] | undefined; ;) {
      const page = await createLoad(database)(tweetsByAuthor.page, { authorId, bucket, after, limit: size });
      if (page.length > 0) yield page;
      const last = page.at(-1);
      if (last === undefined || page.length < size) break;
      after = [last.tweetId];
    }
  }
}

/** The deleted tweets of an author, of the month `oldestMonth` or later, newest first, in pages of 1,000. */
export async function* deletedOf(
  { database }: Pick<WriteContext, 'database'>,
  authorId: string,
  oldestMonth: number,
): AsyncIterable<readonly Row<typeof deletedByAuthor>[]> {
  const buckets = await bucketsOf(createLoad(database), [{ list: deletedByAuthor.name, owner: authorId }]);
  for (const bucket of buckets) {
    if (bucket < oldestMonth) return;
    for (let after: string[] | undefined; ;) {
      const page = await createLoad(database)(deletedByAuthor.page, {
        authorId,
        bucket,
        after,
        limit: PAGE_ROWS,
      });
      if (page.length > 0) yield page;
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE_ROWS) break;
      after = [last.tweetId];
    }
  }
}
