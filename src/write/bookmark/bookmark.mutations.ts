import { Arg, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql';
import { bookmarkMarks, MAX_BOOKMARKS, MAX_FOLDERS } from '../../features/bookmark/bookmark.table';
import { checkedFolder, FOLDER_BOUNDS } from '../../features/bookmark/folders';
import { relations } from '../../features/follow/follow.table';
import { ORIGINAL_BY_ID } from '../../features/tweet/tweet-reads';
import { deletedTweets, tweets } from '../../features/tweet/tweet.table';
import { requireWriter } from '../../features/viewer/viewer';
import { VIEWER_READS } from '../../features/viewer/viewer-reads';
import { Reads, rowsOf } from '../../kit/cost/reads';
import { idIn, nodeNotFound } from '../../kit/graphql/global-id';
import { Bounded, ID_BOUNDS } from '../../kit/input/input-bounds';
import type { MutationContext } from '../mutation-context';
import { changeOriginal } from '../tweet/change-original';
import { ChangedTweet } from '../tweet/tweet.payload';
import { setBookmark } from './set-bookmark';

/** The result of bookmarking. */
@ObjectType({ simpleResolvers: true, description: 'The result of `bookmarkTweet`.' })
class BookmarkTweetPayload extends ChangedTweet {}

/** The result of removing a bookmark. */
@ObjectType({ simpleResolvers: true, description: 'The result of `removeBookmark`.' })
class RemoveBookmarkPayload {
  @Field(() => String, {
    description: 'The id of the tweet that is not bookmarked any more; of a share, that of its original.',
  })
  tweetId: string;
}

/** Bookmarking, for the caller's user. */
@Resolver()
export class BookmarkMutations {
  @Reads(...ORIGINAL_BY_ID, rowsOf(relations), ...VIEWER_READS)
  @Mutation(() => BookmarkTweetPayload, {
    nullable: true,
    description: `Bookmarks a tweet for the caller, in a folder or in none; of a share, its original, and another folder moves it. Fails with \`UNAUTHENTICATED\` without a user, \`NOT_FOUND\`, \`FORBIDDEN\` with the reason \`BLOCKED\`, \`BAD_USER_INPUT\` above ${MAX_BOOKMARKS.toLocaleString('en')} bookmarks or ${MAX_FOLDERS} folders, or \`RATE_LIMITED\` for many moves, or many changes to one tweet, within an hour.`,
  })
  bookmarkTweet(
    @Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string,
    @Bounded(FOLDER_BOUNDS)
    @Arg('folder', () => String, {
      nullable: true,
      description:
        'The name of a folder, ignoring case; it begins with its first bookmark. Null takes the bookmark out of its folder; without a value, it stays where it is.',
    })
    given: string | null | undefined,
    @Ctx() context: MutationContext,
  ) {
    const folder = given === undefined ? null : given === null ? '' : checkedFolder(given);
    return changeOriginal(context, id, ({ tweetId }, userId) =>
      changeBookmark(context, userId, tweetId, { folder }),
    );
  }

  @Reads(rowsOf(tweets), rowsOf(deletedTweets), rowsOf(bookmarkMarks), ...VIEWER_READS)
  @Mutation(() => RemoveBookmarkPayload, {
    nullable: true,
    description:
      "Removes the caller's bookmark of a tweet, whether that is still there or not. Fails with `UNAUTHENTICATED` without a user, `NOT_FOUND`, or `RATE_LIMITED` for many deletions, or many changes to one tweet, within an hour.",
  })
  async removeBookmark(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() context: MutationContext) {
    const { load, viewer, writeServices } = context;
    const userId = await requireWriter(viewer);
    writeServices.worker.requireLease();
    const given = idIn('Tweet', id);
    const named =
      (await load(tweets.get, { tweetId: given })) ?? (await load(deletedTweets.get, { tweetId: given }));
    const tweetId = named?.sharedTweetId ?? given;
    // A tweet that is neither there nor among the deleted ones may have been bookmarked, and then removed by an operator.
    // The row of tweet 0 is there for its folders, too.
    if (named === null && (await load(bookmarkMarks.get, { userId, tweetId }))?.isPresent == null)
      throw nodeNotFound('Tweet', given);
    await changeBookmark(context, userId, tweetId, 'removed');
    load.forget();
    return { tweetId };
  }
}

function changeBookmark(
  { limits, writeServices }: MutationContext,
  userId: string,
  tweetId: string,
  wish: Parameters<typeof setBookmark>[3],
): Promise<boolean> {
  return limits.pair('bookmark', tweetId, () => setBookmark(writeServices, userId, tweetId, wish));
}
