import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import type { Context } from '../context';
import { bucketsOf, pagesOf } from '../kit/cost/lists';
import { Reads, rowsOf, sharedByObject, upTo } from '../kit/cost/reads';
import { connect } from '../kit/relay/connection';
import { Bounded, ID_BOUNDS } from '../kit/graphql/input-bounds';
import { monthList } from '../kit/relay/month-list';
import { PageArgs, pageOf } from '../kit/relay/page';
import { isMember, tallies } from '../kit/tally';
import { changeOriginal } from '../write/tweet/change-original';
import { pointedTweets } from '../tweet/tweet-list';
import { ORIGINAL_BY_ID, TWEETS_POINTED_TO } from '../tweet/tweet-reads';
import { Tweet, TweetConnection, TweetPayload } from '../tweet/tweet.type';
import { users } from '../user/user.table';
import { User } from '../user/user.type';
import { VIEWER_READS } from '../viewer/viewer-reads';
import { setLiked } from '../write/like/set-liked';
import { likesByTweet, likesByUser } from './like.table';
import { LikeConnection, LikeEdge } from './like.type';

/** Who liked a tweet, and whether the caller did. */
@Resolver(() => Tweet)
export class LikerResolver {
  @Reads(pagesOf(likesByTweet), bucketsOf())
  @FieldResolver(() => LikeConnection, {
    description:
      'Who liked it here, newest first, then by id descending; of a share, who liked its original.',
  })
  likers(
    @Root() { tweetId, sharedTweetId }: Tweet,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() { load }: Context,
  ) {
    const owner = { tweetId: sharedTweetId ?? tweetId };
    const list = monthList(load, likesByTweet, owner, (row) => [row.likedAt, row.userId]);
    return connect(
      list,
      pageOf(list.name, args),
      ({ likedAt, userId }, cursor) => ({ cursor, likedAt, userId }),
      ({ userId }) => userId,
    );
  }

  @Reads(sharedByObject(rowsOf(tallies)), ...VIEWER_READS)
  @FieldResolver(() => Boolean, {
    description: "Whether the caller's user likes it; false without a token. A page of them is one request.",
  })
  async viewerHasLiked(@Root() { tweetId, sharedTweetId }: Tweet, @Ctx() { load, viewer }: Context) {
    const viewerId = await viewer.userId();
    return viewerId !== null && isMember(load, sharedTweetId ?? tweetId, 'likes', viewerId);
  }
}

/** What a user liked. */
@Resolver(() => User)
export class LikeResolver {
  @Reads(pagesOf(likesByUser), bucketsOf(), ...TWEETS_POINTED_TO)
  @FieldResolver(() => TweetConnection, {
    description: 'What the user liked here, newest like first, then by id descending.',
  })
  likes(@Root() { userId }: User, @Args(() => PageArgs) args: PageArgs, @Ctx() { load }: Context) {
    const list = monthList(load, likesByUser, { userId }, ({ likedAt, tweetId }) => [likedAt, tweetId]);
    const { shown, tweetOf } = pointedTweets(load);
    return connect(
      { ...list, shown },
      pageOf(list.name, args),
      (row, cursor) => ({ cursor, node: tweetOf(row) }),
      tweetOf,
    );
  }
}

/** Liking, by the caller's user. */
@Resolver()
export class LikeMutations {
  @Reads(...ORIGINAL_BY_ID, ...VIEWER_READS)
  @Mutation(() => TweetPayload, {
    description:
      'Has the caller like a tweet; of a share, its original. Liking again changes nothing. `UNAUTHENTICATED` without a user, `NOT_FOUND`. Writes by a lightweight transaction on `tallies`, and rows of `likes_by_tweet`, `likes_by_user` and `tweet_counts`.',
  })
  likeTweet(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() context: Context) {
    return changeLike(context, id, true);
  }

  @Reads(...ORIGINAL_BY_ID, ...VIEWER_READS)
  @Mutation(() => TweetPayload, {
    description:
      'Takes a like of the caller back. Unliking again changes nothing. `UNAUTHENTICATED` without a user, `NOT_FOUND`. Writes as `likeTweet` does.',
  })
  unlikeTweet(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() context: Context) {
    return changeLike(context, id, false);
  }
}

function changeLike(context: Context, id: string, likes: boolean) {
  return changeOriginal(context, id, (tweet, userId) =>
    context.limits.pair('like', tweet.tweetId, () => setLiked(context.writing, tweet, userId, likes)),
  );
}

/** The user of a like. */
@Resolver(() => LikeEdge)
export class LikeEdgeResolver {
  @Reads(rowsOf(users))
  @FieldResolver(() => User, { description: 'A page of them is one request.' })
  node(@Root() { userId }: LikeEdge, @Ctx() { load }: Context) {
    return load(users.get, { userId });
  }
}

/** The users of a page of likes. */
@Resolver(() => LikeConnection)
export class LikeConnectionResolver {
  @Reads(upTo(users, ({ limit }) => ({ reads: limit, rows: limit })))
  @FieldResolver(() => [User], { description: 'The users of the page, read by one request.' })
  nodes(@Root() { edges }: LikeConnection, @Ctx() { load }: Context) {
    return Promise.all(edges.map(({ userId }) => load(users.get, { userId })));
  }
}
