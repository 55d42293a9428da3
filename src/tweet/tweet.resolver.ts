import { GraphQLDate } from 'graphql-scalars';
import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../context';
import type { Row } from '../kit/cassandra/table';
import { Bounded } from '../kit/graphql/input-bounds';
import type { Load } from '../kit/load';
import { Reads } from '../kit/model/reads';
import { buckets } from '../kit/relay/buckets';
import { connectNodes, type List } from '../kit/relay/connection';
import { isId } from '../kit/relay/node';
import { PageArgs } from '../kit/relay/page';
import { users } from '../user/user.table';
import { User } from '../user/user.type';
import { topList } from './top-list';
import { shownList, tweetList, tweetPosition } from './tweet-list';
import { MOST_LIKED_BOUND, TweetOrder, TweetOrderArgs } from './tweet-order';
import {
  DAY_SHARDS,
  deletedTweets,
  repliesByTweet,
  topRepliesByTweet,
  topTweetsByAuthor,
  tweetCounts,
  tweets,
  tweetsByAuthor,
  tweetsByDay,
} from './tweet.table';
import { Tweet, TweetConnection } from './tweet.type';
import { tweetById } from './visible';

const MOST_LIKED_COST = `The most liked cost one partition of the \`top_…\` table that it is made from and, for each tweet whose likes are of the same order of magnitude as those of the page, one of \`tweet_counts\`; where nobody likes them, the months of the list are walked, at most 256 a page. ${MOST_LIKED_BOUND}`;

/** Tweets, by id and by day, with what is read apart from them. */
@Resolver(() => Tweet)
export class TweetResolver {
  @Reads(tweets, deletedTweets)
  @Query(() => Tweet, {
    nullable: true,
    description: 'The tweet with this id; null when there is none. Costs one partition of `tweets`.',
  })
  tweet(@Bounded({ maxLength: 20 }) @Arg('tweetId', () => String) tweetId: string, @Ctx() { load }: Context) {
    return isId(tweetId) ? tweetById(load, tweetId) : null;
  }

  @Reads(tweetsByDay, deletedTweets)
  @Query(() => TweetConnection, {
    description: `The tweets of a UTC day, newest first. Costs ${DAY_SHARDS} partitions of \`tweets_by_day\`, read in one request on one node.`,
  })
  tweetsOfDay(
    @Arg('day', () => GraphQLDate) day: Date,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() { load }: Context,
  ) {
    return connectNodes(shownList(load, dayList(load, day.toISOString().slice(0, 10))), args);
  }

  @FieldResolver(() => [String], {
    description: 'The hashtags in the text, without sign, once each. Comes with the tweet.',
  })
  hashtags(@Root() tweet: Tweet) {
    return tweet.hashtags ?? [];
  }

  @FieldResolver(() => [String], {
    description: 'The mentions in the text, without sign, once each. Comes with the tweet.',
  })
  mentions(@Root() tweet: Tweet) {
    return tweet.mentions ?? [];
  }

  @Reads(users)
  @FieldResolver(() => User, {
    description: 'Who posted it. Costs one partition of `users`; a page of them is one request.',
  })
  author(@Root() { authorId }: Tweet, @Ctx() { load }: Context) {
    return load(users.get, { userId: authorId });
  }

  @Reads(repliesByTweet, topRepliesByTweet, tweets, tweetCounts, deletedTweets, buckets)
  @FieldResolver(() => TweetConnection, {
    description:
      'What replies to it; of a share, to its original. Costs one partition of `buckets` and, per month walked, one of `replies_by_tweet`; at most 64 a page. ' +
      MOST_LIKED_COST,
  })
  replies(
    @Root() { tweetId, sharedTweetId }: Tweet,
    @Args(() => TweetOrderArgs) args: TweetOrderArgs,
    @Ctx() { load }: Context,
  ) {
    const owner = { inReplyToId: sharedTweetId ?? tweetId };
    const newest = tweetList(load, repliesByTweet, owner);
    if (args.order === TweetOrder.NEWEST) return connectNodes(newest, args);
    const most = topList(load, {
      name: `${topRepliesByTweet.name} ${owner.inReplyToId}`,
      owners: () => Promise.resolve([owner.inReplyToId]),
      top: (inReplyToId, slice) => load(topRepliesByTweet.page, { inReplyToId, ...slice }),
      newest: () => Promise.resolve(newest),
      holds: () => true,
    });
    return connectNodes(most, args);
  }

  @Reads(tweetCounts)
  @FieldResolver(() => Int, {
    description: 'Costs one partition of `tweet_counts`, shared by the three counts.',
  })
  likeCount(@Root() tweet: Tweet, @Ctx() { load }: Context) {
    return count(load, tweet, 'likeCount', 'likes');
  }

  @Reads(tweetCounts)
  @FieldResolver(() => Int, {
    description: 'Costs one partition of `tweet_counts`, shared by the three counts.',
  })
  shareCount(@Root() tweet: Tweet, @Ctx() { load }: Context) {
    return count(load, tweet, 'shareCount', 'shares');
  }

  @Reads(tweetCounts)
  @FieldResolver(() => Int, {
    description: 'Costs one partition of `tweet_counts`, shared by the three counts.',
  })
  replyCount(@Root() tweet: Tweet, @Ctx() { load }: Context) {
    return count(load, tweet, 'replyCount', 'replies');
  }

  @Reads(tweets, deletedTweets)
  @FieldResolver(() => Tweet, { nullable: true, description: linked('The tweet it replies to') })
  inReplyTo(@Root() { inReplyToId }: Tweet, @Ctx() { load }: Context) {
    return inReplyToId === null ? null : tweetById(load, inReplyToId);
  }

  @Reads(tweets, deletedTweets)
  @FieldResolver(() => Tweet, { nullable: true, description: linked('The tweet it shares') })
  sharedTweet(@Root() { sharedTweetId }: Tweet, @Ctx() { load }: Context) {
    return sharedTweetId === null ? null : tweetById(load, sharedTweetId);
  }

  @Reads(tweets, deletedTweets)
  @FieldResolver(() => Tweet, { nullable: true, description: linked('The tweet it quotes') })
  quotedTweet(@Root() { quotedTweetId }: Tweet, @Ctx() { load }: Context) {
    return quotedTweetId === null ? null : tweetById(load, quotedTweetId);
  }
}

/** An author's tweets. */
@Resolver(() => User)
export class AuthorResolver {
  @Reads(tweetsByAuthor, topTweetsByAuthor, tweets, tweetCounts, deletedTweets, buckets)
  @FieldResolver(() => TweetConnection, {
    description:
      'What the user posted: tweets, replies, quotes and shares. Costs one partition of `buckets` and, per month walked, one of `tweets_by_author`; at most 64 a page. ' +
      MOST_LIKED_COST,
  })
  tweets(
    @Root() { userId }: User,
    @Args(() => TweetOrderArgs) args: TweetOrderArgs,
    @Ctx() { load }: Context,
  ) {
    const newest = tweetList(load, tweetsByAuthor, { authorId: userId });
    if (args.order === TweetOrder.NEWEST) return connectNodes(newest, args);
    const most = topList(load, {
      name: `${topTweetsByAuthor.name} ${userId}`,
      owners: () => Promise.resolve([userId]),
      top: (authorId, slice) => load(topTweetsByAuthor.page, { authorId, ...slice }),
      newest: () => Promise.resolve(newest),
      holds: () => true,
    });
    return connectNodes(most, args);
  }
}

function linked(what: string): string {
  return `${what}; null when there is none or it is not here. Costs one partition of \`tweets\`; a page of them is one request.`;
}

/** The counts of a share are its original's, where that is here. */
async function count(
  load: Load,
  { tweetId, sharedTweetId }: Tweet,
  imported: 'likeCount' | 'shareCount' | 'replyCount',
  acts: 'likes' | 'shares' | 'replies',
) {
  const own = load(tweetCounts.get, { tweetId });
  const original = sharedTweetId === null ? null : await load(tweetCounts.get, { tweetId: sharedTweetId });
  const counts = original ?? (await own);
  return (counts?.[imported] ?? 0) + (counts?.[acts] ?? 0);
}

function dayList(load: Load, day: string): List<Row<typeof tweets>> {
  return {
    name: `tweets_by_day ${day}`,
    buckets: () => Promise.resolve([0]),
    sources: () =>
      Array.from({ length: DAY_SHARDS }, (_, shard) => ({
        read: (slice) => load(tweetsByDay.page, { day, shard, ...slice }),
      })),
    position: tweetPosition,
  };
}
