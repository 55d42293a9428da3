import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../context';
import { Reads, rowsOf, together } from '../../kit/cost/reads';
import { connect } from '../../kit/lists/connection';
import type { ConnectionField } from '../../kit/lists/connection-field';
import type { List } from '../../kit/lists/list-parts';
import { pageOf } from '../../kit/lists/page';
import type { Load } from '../../kit/reads/load';
import { HiddenReason } from '../hidden/hidden.enums';
import { SIGHT_READS } from '../hidden/hidden-reads';
import { seenTweet, whyHidden } from '../hidden/hiding';
import { encodeNodeId } from '../../kit/graphql/global-id';
import { NullOnlyByError } from '../../kit/input/null-only-by-error';
import { tweet } from '../tweet/tweet.node';
import type { Tweet } from '../tweet/tweet.type';
import { User } from '../user/user.type';
import { onlyOwner } from '../viewer/only-owner';
import { bookmarksByUser, bookmarksInFolder } from './bookmark.lists';
import { bookmarkFolders } from './bookmark.table';
import { BookmarkArgs, BookmarkConnection } from './bookmark.type';
import { checkedFolder, findFolder, folderKey, foldersOf } from './folders';

/** Bookmarks are private. */
export const ownBookmarks = onlyOwner('Only their user and services can read bookmarks.');

/** A bookmark as a row of either list has it. */
interface Listed {
  readonly tweetId: string;
  readonly bookmarkedAt: Date;
  readonly folder: string;
}

const { of, item, points, columns, reads } = bookmarksByUser;
/** A page reads either list. */
const pageReads = reads.map((bound) =>
  bound.table === bookmarksByUser.name ? together(bound, bookmarksInFolder) : bound,
);

/** The bookmarks of a user. A connection of its own kind, because a bookmark whose tweet is gone stays as a placeholder. */
@Resolver(() => User)
class BookmarksResolver {
  @Reads(...pageReads, rowsOf(bookmarkFolders), ...ownBookmarks.reads, ...SIGHT_READS)
  @NullOnlyByError()
  @FieldResolver(() => BookmarkConnection, {
    nullable: true,
    description:
      'What the user has bookmarked, newest first. Only the user and services can read it; others get `FORBIDDEN`.',
  })
  async bookmarks(
    @Root() { userId }: User,
    @Args(() => BookmarkArgs) args: BookmarkArgs,
    @Ctx() context: Context,
  ) {
    await ownBookmarks.check(context, userId);
    const { load } = context;
    const list =
      args.folder == null ? bookmarksByUser.list(load, userId) : await listIn(load, userId, args.folder);
    const found = new Map<Listed, Placed>();
    const shown = async (row: Listed) => {
      found.set(row, await place(context, row.tweetId));
      // Tweets that are gone or hidden are shown, too: as placeholders.
      return true;
    };
    const placeOf = (row: Listed) => found.get(row) ?? GONE;
    const nodeOf = (row: Listed) => placeOf(row).node;
    const edgeOf = (row: Listed, cursor: string) => {
      const { tweetId, bookmarkedAt, folder } = row;
      const nodeId = encodeNodeId(tweet.name, tweetId);
      return {
        cursor,
        tweetId,
        nodeId,
        bookmarkedAt,
        ...placeOf(row),
        folder: folder === '' ? null : folder,
      };
    };
    const open: List<Listed> = { ...list, shown };
    return connect(open, pageOf(list.name, args), edgeOf, nodeOf);
  }
}

/** The tweet of a bookmark, or the reason why it is not shown. */
interface Placed {
  readonly node: Tweet | null;
  readonly hiddenReason: HiddenReason | null;
}

const GONE: Placed = { node: null, hiddenReason: HiddenReason.DELETED };

/** Reads a bookmarked tweet as its reader may see it. The reader chose to keep it, so mutes hide nothing here, only blocks. */
async function place(context: Context, tweetId: string): Promise<Placed> {
  const found = await tweet.findShown(context.load, tweetId);
  if (found === null) return GONE;
  const hiddenReason = await whyHidden(context, seenTweet(found), 'DIRECT');
  // A row has what the type has.
  return { node: hiddenReason === null ? (found as Tweet) : null, hiddenReason };
}

/** The list of a folder. It keeps its name, and so its cursors, when the folder is emptied and filled again. */
async function listIn(load: Load, userId: string, given: string): Promise<List<Listed>> {
  const name = checkedFolder(given);
  const folder = findFolder(await foldersOf(load, userId), name);
  const listed = bookmarksInFolder.list(load, folder?.folderId ?? '0');
  return {
    ...listed,
    ...(folder === undefined && { parts: () => Promise.resolve([]) }),
    name: `${bookmarksInFolder.name} ${userId} ${folderKey(name)}`,
  };
}

/** The field that shows bookmarks. */
export const bookmarkConnections: readonly ConnectionField[] = [
  { field: 'bookmarks', list: { of, item, points, columns }, resolvers: [BookmarksResolver] },
];
