import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import type { Context } from '../context';
import type { Row } from '../kit/cassandra/table';
import type { Load } from '../kit/load';
import { Reads } from '../kit/model/reads';
import { buckets } from '../kit/relay/buckets';
import { connect, type List } from '../kit/relay/connection';
import { monthList } from '../kit/relay/month-list';
import { PageArgs, pageOf } from '../kit/relay/page';
import { isMember, tallies } from '../kit/tally';
import { changeOriginal } from '../tweet/change-original';
import { tweets, deletedTweets } from '../tweet/tweet.table';
import { Tweet, TweetConnection, TweetPayload } from '../tweet/tweet.type';
import { users } from '../user/user.table';
import { User } from '../user/user.type';
import { usersByIdentity } from '../viewer/viewer.table';
import { setLiked } from './like';
import { likesByTweet, likesByUser } from './like.table';
import { LikeConnection, LikeEdge } from './like.type';

/** Who liked a tweet, and whether the caller did. */
@Resolver(() => Tweet)
export class LikerResolver {
  @Reads(likesByTweet, buckets)
  @FieldResolver(() => LikeConnection, {
    description:
      'Who liked it here, newest first, then by id descending; of a share, who liked its original. Costs one partition of `buckets` and, per day walked, one of `likes_by_tweet`; at most 64 a page.',
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

  @Reads(tallies, users, usersByIdentity)
  @FieldResolver(() => Boolean, {
    description:
      "Whether the caller's user likes it; false without a token. Costs one partition of `tallies`, shared with `viewerHasShared`; a page of them is one request.",
  })
  async viewerHasLiked(@Root() { tweetId, sharedTweetId }: Tweet, @Ctx() { load, viewer }: Context) {
    const viewerId = await viewer.userId();
    return viewerId !== null && isMember(load, sharedTweetId ?? tweetId, 'likes', viewerId);
  }
}

/** What a user liked. */
@Resolver(() => User)
export class LikeResolver {
  @Reads(likesByUser, tweets, buckets)
  @FieldResolver(() => TweetConnection, {
    description:
      'What the user liked here, newest like first, then by id descending. Costs one partition of `buckets` and, per month walked, one of `likes_by_user` and one of `tweets` a like; at most 64 months a page.',
  })
  likes(@Root() { userId }: User, @Args(() => PageArgs) args: PageArgs, @Ctx() { load }: Context) {
    const list = likedTweets(load, userId);
    return connect(
      list,
      pageOf(list.name, args),
      ({ tweet }, cursor) => ({ cursor, node: tweet }),
      ({ tweet }) => tweet,
    );
  }
}

interface LikedTweet extends Row<typeof likesByUser> {
  /** Null when it was deleted, and the like is still on its way out. */
  readonly tweet: Row<typeof tweets> | null;
}

function likedTweets(load: Load, userId: string): List<LikedTweet> {
  const position = ({ likedAt, tweetId }: Row<typeof likesByUser>) => [likedAt, tweetId];
  const { name, buckets, sources } = monthList(load, likesByUser, { userId }, position);
  return {
    name,
    buckets,
    position,
    sources: (bucket) =>
      sources(bucket).map(({ read }) => ({
        async read(slice) {
          const rows = await read(slice);
          return Promise.all(
            rows.map(async (row) => ({ ...row, tweet: await load(tweets.get, { tweetId: row.tweetId }) })),
          );
        },
        holds: ({ tweet }) => tweet !== null,
      })),
  };
}

/** Liking, by the caller's user. */
@Resolver()
export class LikeMutations {
  @Reads(tweets, users, deletedTweets, usersByIdentity)
  @Mutation(() => TweetPayload, {
    description:
      'Has the caller like a tweet; of a share, its original. Liking again changes nothing. `UNAUTHENTICATED` without a user, `NOT_FOUND`. Costs a lightweight transaction on `tallies`, and rows of `likes_by_tweet`, `likes_by_user` and `tweet_counts`.',
  })
  likeTweet(@Arg('id', () => ID) id: string, @Ctx() context: Context) {
    return changeLike(context, id, true);
  }

  @Reads(tweets, users, deletedTweets, usersByIdentity)
  @Mutation(() => TweetPayload, {
    description:
      'Has the caller like a tweet no more. Unliking again changes nothing. `UNAUTHENTICATED` without a user, `NOT_FOUND`. Costs as `likeTweet` does.',
  })
  unlikeTweet(@Arg('id', () => ID) id: string, @Ctx() context: Context) {
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
  @Reads(users)
  @FieldResolver(() => User, {
    description: 'Costs one partition of `users`; a page of them is one request.',
  })
  node(@Root() { userId }: LikeEdge, @Ctx() { load }: Context) {
    return load(users.get, { userId });
  }
}

/** The users of a page of likes. */
@Resolver(() => LikeConnection)
export class LikeConnectionResolver {
  @Reads(users)
  @FieldResolver(() => [User], {
    description: 'The users of the page. Costs one partition of `users` each; a page of them is one request.',
  })
  nodes(@Root() { edges }: LikeConnection, @Ctx() { load }: Context) {
    return Promise.all(edges.map(({ userId }) => load(users.get, { userId })));
  }
}
