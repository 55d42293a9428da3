import { GraphQLDate } from 'graphql-scalars';
import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../context';
import type { Row } from '../kit/cassandra/table';
import type { Load } from '../kit/load';
import type { List } from '../kit/relay/connection';
import { monthList } from '../kit/relay/month-list';
import { isId } from '../kit/relay/node';
import { PageArgs } from '../kit/relay/page';
import { users } from '../user/user.table';
import { User } from '../user/user.type';
import { connectTweets, tweetPosition } from './tweet-list';
import { DAY_SHARDS, tweetCounts, tweets, tweetsByAuthor, tweetsByDay } from './tweet.table';
import { Tweet, TweetConnection } from './tweet.type';
import { TweetOrderArgs } from './tweet-order';

/** Tweets, by id and by day, with what is read apart from them. */
@Resolver(() => Tweet)
export class TweetResolver {
  @Query(() => Tweet, {
    nullable: true,
    description: 'The tweet with this id; null when there is none. Costs one partition of `tweets`.',
  })
  tweet(@Arg('tweetId', () => String) tweetId: string, @Ctx() { load }: Context) {
    return isId(tweetId) ? load(tweets.get, { tweetId }) : null;
  }

  @Query(() => TweetConnection, {
    description: `The tweets of a UTC day, newest first. Costs ${DAY_SHARDS} partitions of \`tweets_by_day\`, read in one request on one node.`,
  })
  tweetsOfDay(
    @Arg('day', () => GraphQLDate) day: Date,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() { load }: Context,
  ) {
    return connectTweets(dayList(load, day.toISOString().slice(0, 10)), args);
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

  @FieldResolver(() => User, {
    description: 'Who posted it. Costs one partition of `users`; a page of them is one request.',
  })
  author(@Root() { authorId }: Tweet, @Ctx() { load }: Context) {
    return load(users.get, { userId: authorId });
  }

  @FieldResolver(() => Int, {
    description: 'Costs one partition of `tweet_counts`, shared by the three counts.',
  })
  likeCount(@Root() tweet: Tweet, @Ctx() { load }: Context) {
    return count(load, tweet, 'likeCount');
  }

  @FieldResolver(() => Int, {
    description: 'Costs one partition of `tweet_counts`, shared by the three counts.',
  })
  shareCount(@Root() tweet: Tweet, @Ctx() { load }: Context) {
    return count(load, tweet, 'shareCount');
  }

  @FieldResolver(() => Int, {
    description: 'Costs one partition of `tweet_counts`, shared by the three counts.',
  })
  replyCount(@Root() tweet: Tweet, @Ctx() { load }: Context) {
    return count(load, tweet, 'replyCount');
  }

  @FieldResolver(() => Tweet, { nullable: true, description: linked('The tweet it replies to') })
  inReplyTo(@Root() { inReplyToId }: Tweet, @Ctx() { load }: Context) {
    return inReplyToId === null ? null : load(tweets.get, { tweetId: inReplyToId });
  }

  @FieldResolver(() => Tweet, { nullable: true, description: linked('The tweet it shares') })
  sharedTweet(@Root() { sharedTweetId }: Tweet, @Ctx() { load }: Context) {
    return sharedTweetId === null ? null : load(tweets.get, { tweetId: sharedTweetId });
  }

  @FieldResolver(() => Tweet, { nullable: true, description: linked('The tweet it quotes') })
  quotedTweet(@Root() { quotedTweetId }: Tweet, @Ctx() { load }: Context) {
    return quotedTweetId === null ? null : load(tweets.get, { tweetId: quotedTweetId });
  }
}

/** An author's tweets. */
@Resolver(() => User)
export class AuthorResolver {
  @FieldResolver(() => TweetConnection, {
    description:
      'What the user posted: tweets, replies, quotes and shares. Costs one partition of `buckets` and, per month walked, one of `tweets_by_author`; at most 64 a page.',
  })
  tweets(
    @Root() { userId }: User,
    @Args(() => TweetOrderArgs) args: TweetOrderArgs,
    @Ctx() { load }: Context,
  ) {
    return connectTweets(monthList(load, tweetsByAuthor, { authorId: userId }, tweetPosition), args);
  }
}

function linked(what: string): string {
  return `${what}; null when there is none or it is not here. Costs one partition of \`tweets\`; a page of them is one request.`;
}

/** The counts of a share are its original's, where that is here. */
async function count(
  load: Load,
  { tweetId, sharedTweetId }: Tweet,
  which: 'likeCount' | 'shareCount' | 'replyCount',
) {
  const own = load(tweetCounts.get, { tweetId });
  if (sharedTweetId === null) return (await own)?.[which] ?? 0;
  const [original, share] = await Promise.all([load(tweetCounts.get, { tweetId: sharedTweetId }), own]);
  return (original ?? share)?.[which] ?? 0;
}

function dayList(load: Load, day: string): List<Row<typeof tweets>> {
  return {
    name: `tweets_by_day ${day}`,
    buckets: () => Promise.resolve([0]),
    sources: () =>
      Array.from(
        { length: DAY_SHARDS },
        (_, shard) => (slice) => load(tweetsByDay.page, { day, shard, ...slice }),
      ),
    position: tweetPosition,
  };
}
