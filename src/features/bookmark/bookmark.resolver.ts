import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../context';
import { MaxItems, Reads, rowsOf } from '../../kit/cost/reads';
import { NullOnlyByError } from '../../kit/input/null-only-by-error';
import { Tweet } from '../tweet/tweet.type';
import { User } from '../user/user.type';
import { VIEWER_READS } from '../viewer/viewer-reads';
import { ownBookmarks } from './bookmark.connections';
import { bookmarkFolders, bookmarkMarks, MAX_FOLDERS } from './bookmark.table';
import { BookmarkFolder } from './bookmark.type';
import { foldersOf } from './folders';

/** Whether the caller's user has bookmarked a tweet. */
@Resolver(() => Tweet)
export class BookmarkedResolver {
  @Reads(rowsOf(bookmarkMarks), ...VIEWER_READS)
  @FieldResolver(() => Boolean, {
    description: "Whether the caller's user has bookmarked the tweet; false without a token.",
  })
  async viewerHasBookmarked(@Root() { tweetId, sharedTweetId }: Tweet, @Ctx() { load, viewer }: Context) {
    const userId = await viewer.userId();
    if (userId === null) return false;
    const mark = await load(bookmarkMarks.get, { userId, tweetId: sharedTweetId ?? tweetId });
    return mark?.isPresent === true;
  }
}

/** The folders of a user's bookmarks. */
@Resolver(() => User)
export class BookmarkFoldersResolver {
  @Reads(rowsOf(bookmarkFolders), ...ownBookmarks.reads)
  @MaxItems(() => MAX_FOLDERS)
  @NullOnlyByError()
  @FieldResolver(() => [BookmarkFolder], {
    nullable: true,
    description: `The folders that have bookmarks, at most ${MAX_FOLDERS}, in the order in which they began. Only the user and services can read them; others get \`FORBIDDEN\`.`,
  })
  async bookmarkFolders(@Root() { userId }: User, @Ctx() context: Context) {
    await ownBookmarks.check(context, userId);
    return foldersOf(context.load, userId);
  }
}
