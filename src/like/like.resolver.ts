import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../context';
import { stretchReads, pagesOf } from '../kit/cost/lists';
import { Reads, rowsOf, sharedByObject, upTo } from '../kit/cost/reads';
import { connect } from '../kit/relay/connection';
import { bucketList } from '../kit/lists/bucket-list';
import { PageArgs, pageOf } from '../kit/relay/page';
import { isMember, tallies } from '../kit/work/tally';
import { pointedTweets } from '../tweet/tweet-list';
import { TWEETS_POINTED_TO } from '../tweet/tweet-reads';
import { Tweet, TweetConnection } from '../tweet/tweet.type';
import { shownUser, users } from '../user/user.table';
import { User } from '../user/user.type';
import { VIEWER_READS } from '../viewer/viewer-reads';
import { likesByTweet, likesByUser } from './like.table';
import { LikeConnection, LikeEdge } from './like.type';

/** The users who like a tweet, and whether the caller's user does. */
@Resolver(() => Tweet)
export class LikerResolver {
  @Reads(pagesOf(likesByTweet), stretchReads())
  @FieldResolver(() => LikeConnection, {
    description:
      'The users who like the tweet, newest like first, then by id descending; for a share, those who like its original. Imported likes are only counted.',
  })
  likers(
    @Root() { tweetId, sharedTweetId }: Tweet,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() { load }: Context,
  ) {
    const owner = { tweetId: sharedTweetId ?? tweetId };
    const list = bucketList(load, likesByTweet, owner, (row) => [row.likedAt, row.userId]);
    return connect(
      list,
      pageOf(list.name, args),
      ({ likedAt, userId }, cursor) => ({ cursor, likedAt, userId }),
      ({ userId }) => userId,
    );
  }

  @Reads(sharedByObject(rowsOf(tallies)), ...VIEWER_READS)
  @FieldResolver(() => Boolean, {
    description: "Whether the caller's user likes the tweet; false without a token.",
  })
  async viewerHasLiked(@Root() { tweetId, sharedTweetId }: Tweet, @Ctx() { load, viewer }: Context) {
    const viewerId = await viewer.userId();
    return viewerId !== null && isMember(load, sharedTweetId ?? tweetId, 'likes', viewerId);
  }
}

/** The tweets that a user likes. */
@Resolver(() => User)
export class LikeResolver {
  @Reads(pagesOf(likesByUser), stretchReads(), ...TWEETS_POINTED_TO)
  @FieldResolver(() => TweetConnection, {
    description:
      'The tweets that the user likes, newest like first, then by id descending. Imported likes are only counted.',
  })
  likes(@Root() { userId }: User, @Args(() => PageArgs) args: PageArgs, @Ctx() { load }: Context) {
    const list = bucketList(load, likesByUser, { userId }, ({ likedAt, tweetId }) => [likedAt, tweetId]);
    const { shown, tweetOf } = pointedTweets(load);
    return connect(
      { ...list, shown },
      pageOf(list.name, args),
      (row, cursor) => ({ cursor, node: tweetOf(row) }),
      tweetOf,
    );
  }
}

/** The user of a like. */
@Resolver(() => LikeEdge)
export class LikeEdgeResolver {
  @Reads(rowsOf(users))
  @FieldResolver(() => User, { description: 'The user who likes the tweet.' })
  node(@Root() { userId }: LikeEdge, @Ctx() { load }: Context) {
    return load(shownUser, { userId });
  }
}

/** The users of a page of likes. */
@Resolver(() => LikeConnection)
export class LikeConnectionResolver {
  @Reads(upTo(users, ({ limit }) => ({ reads: limit, rows: limit })))
  @FieldResolver(() => [User], { description: 'The users of the page.' })
  nodes(@Root() { edges }: LikeConnection, @Ctx() { load }: Context) {
    return Promise.all(edges.map(({ userId }) => load(shownUser, { userId })));
  }
}
