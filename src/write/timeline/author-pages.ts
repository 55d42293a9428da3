import { followersByUser, followingByUser } from '../../features/follow/follow.lists';
import { snowflakeTime } from '../../kit/base/snowflake';
import type { Row } from '../../kit/cassandra/table';
import { listPages } from '../../kit/lists/list-pages';
import { deletedByAuthor, tweetsByAuthor } from '../../features/tweet/tweet.lists';
import type { Chunk, TaskRun } from '../../kit/work/handler';
import { encodeBoundary, cutIntoChunks, pagesUpTo, type Boundary } from '../list-chunks';
import type { WriteServices } from '../write-services';

/** How many rows a page has. */
const PAGE_ROWS = 1000;

type Reading = Pick<WriteServices, 'database'>;

/** The position of a follower in a list of followers. */
export interface FollowerPosition {
  readonly followedAt: Date;
  readonly followerId: string;
}

/** A user's followers, newest first, in pages of 1,000; only those after `from`, if that is given. */
export function readFollowers(
  { database }: Reading,
  userId: string,
  from: FollowerPosition | null = null,
): AsyncIterable<readonly Row<typeof followersByUser>[]> {
  return listPages(
    database,
    (load) => followersByUser.list(load, userId),
    PAGE_ROWS,
    from && { bucket: 0, key: [from.followedAt, from.followerId] },
  );
}

/** The position of a follower in a list of followers, as a boundary of chunks. */
export function followerBoundary({ followedAt, followerId }: FollowerPosition): Boundary {
  return encodeBoundary(followedAt, followerId);
}

/** The position of a boundary in a list of followers; null for the beginning. */
function followerAt(boundary: Boundary): FollowerPosition | null {
  const [followedAt = '', followerId = ''] = boundary.split(' ');
  return boundary === '' ? null : { followedAt: new Date(Number(followedAt)), followerId };
}

/** A part of a list of followers: those after `from` and not after `to`. */
export interface FollowerRange {
  readonly from: Boundary;
  readonly to: Boundary;
}

/** All followers. */
export const ALL_FOLLOWERS: FollowerRange = { from: '', to: '' };

/** The range in the payload of a chunk. */
export function rangeIn({ from = '', to = '' }: Readonly<Record<string, string>>): FollowerRange {
  return { from, to };
}

/** How many followers a chunk has where other servers help. Work on more followers is long: it is done in chunks. */
export const CHUNK_FOLLOWERS = 2000;
/** How many it has where none does: then chunks only keep long work from short tasks. */
export const MAX_CHUNK_FOLLOWERS = 20_000;

/** Cuts an author's followers into chunks. `followers` is about how many there are. */
export async function* followerChunks(
  reading: Reading,
  authorId: string,
  from: Boundary | null,
  { followers, kind, payload }: Pick<Chunk, 'kind' | 'payload'> & { readonly followers: number },
  { helpers }: Pick<TaskRun, 'helpers'>,
): AsyncIterable<Chunk> {
  const size = helpers > 0 ? CHUNK_FOLLOWERS : MAX_CHUNK_FOLLOWERS;
  if (from === null && followers <= size) {
    // They are one chunk, which nobody needs to read them for.
    yield { kind, payload: { ...payload, ...ALL_FOLLOWERS }, end: null };
    return;
  }
  const pages = readFollowers(reading, authorId, followerAt(from ?? ''));
  yield* cutIntoChunks(pages, from ?? '', { kind, payload, boundary: followerBoundary, size });
}

/** The followers of an author in a range, in pages. */
export function followerPages(
  reading: Reading,
  authorId: string,
  { from, to }: FollowerRange,
): AsyncIterable<readonly Row<typeof followersByUser>[]> {
  return pagesUpTo(readFollowers(reading, authorId, followerAt(from)), to, followerBoundary);
}

/** The users whom a user follows, newest follow first, in pages of 1,000. */
export function readFollowees(
  { database }: Reading,
  userId: string,
): AsyncIterable<readonly Row<typeof followingByUser>[]> {
  return listPages(database, (load) => followingByUser.list(load, userId), PAGE_ROWS);
}

/** The options of reading a list of an author's tweets. */
interface Pages {
  /** How many tweets a page has: 1,000 by default. */
  readonly size?: number;
  /** The tweet after which the pages begin; empty for the newest one. */
  readonly after?: Boundary;
}

/** An author's tweets that are younger than `since`, and perhaps some older ones, newest first, in pages. */
export function readTweetsBy(
  { database }: Reading,
  authorId: string,
  since: Date | null,
  { size = PAGE_ROWS, after = '' }: Pages = {},
): AsyncIterable<readonly Row<typeof tweetsByAuthor>[]> {
  return untilOlder(
    listPages(database, (load) => tweetsByAuthor.list(load, authorId), size, tweetAt(after)),
    since,
  );
}

/** The deleted tweets of an author that are younger than `since`, and perhaps some older ones, newest first, in pages. */
export function readDeletedBy(
  { database }: Reading,
  authorId: string,
  since: Date | null,
  { size = PAGE_ROWS, after = '' }: Pages = {},
): AsyncIterable<readonly Row<typeof deletedByAuthor>[]> {
  return untilOlder(
    listPages(database, (load) => deletedByAuthor.list(load, authorId), size, tweetAt(after)),
    since,
  );
}

/** The position of a tweet in a list of tweets; null for the beginning. */
function tweetAt(after: Boundary) {
  return after === '' ? null : { bucket: 0, key: [after] };
}

/** Ends before the first page whose tweets are all older. Ids that are no snowflakes say nothing of the tweets after them. */
async function* untilOlder<R extends { readonly tweetId: string; readonly createdAt: Date }>(
  pages: AsyncIterable<readonly R[]>,
  since: Date | null,
): AsyncIterable<readonly R[]> {
  for await (const page of pages) {
    const isOlder = ({ createdAt, tweetId }: R) =>
      since !== null && createdAt < since && snowflakeTime(tweetId) !== null;
    if (page.every(isOlder)) return;
    yield page;
  }
}
