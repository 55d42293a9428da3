import { GraphQLDate } from 'graphql-scalars';
import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../../context';
import { Bounded } from '../../kit/input/input-bounds';
import type { Row } from '../../kit/cassandra/table';
import type { Load } from '../../kit/reads/load';
import { dayPages, openDay } from '../../kit/lists/day-pages';
import { Reads, rowsOf, sharedByObject } from '../../kit/cost/reads';
import { connectItems, showItems } from '../../kit/lists/list';
import { isId } from '../../kit/base/ids';
import { PageArgs } from '../../kit/input/page-args';
import { seeTweet } from '../hidden/hiding';
import { SIGHT_READS } from '../hidden/hidden-reads';
import { readAuthor } from '../user/read-author';
import { users } from '../user/user.table';
import { User } from '../user/user.type';
import { tweetsByDay } from './tweet.lists';
import { cachedTweetCounts, countIn, tweetCounts } from './tweet.table';
import { tweet, TweetConnection } from './tweet.node';
import { Tweet } from './tweet.type';
import { SHARES_CHECKED, TWEET_BY_ID } from './tweet-reads';
import { tweetById } from './visible';

/** The counts of a tweet, or those of a share and its original. */
const COUNTS = sharedByObject(rowsOf(tweetCounts, 2));

/** Tweets by id and by day, and their fields that take further reads. */
@Resolver(() => Tweet)
export class TweetResolver {
  @Reads(...TWEET_BY_ID, ...SIGHT_READS)
  @Query(() => Tweet, {
    nullable: true,
    description: 'The tweet with this id; null when there is none.',
  })
  tweet(@Bounded({ maxLength: 20 }) @Arg('tweetId', () => String) tweetId: string, @Ctx() context: Context) {
    return isId(tweetId) ? seeTweet(context, tweetById(context.load, tweetId), 'DIRECT') : null;
  }

  @Reads(dayPages(tweetsByDay), ...SHARES_CHECKED, ...SIGHT_READS)
  @Query(() => TweetConnection, {
    description: 'The tweets of a UTC day, newest first.',
  })
  tweetsOfDay(
    @Arg('day', () => GraphQLDate) day: Date,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() context: Context,
  ) {
    const list = openDay(context, tweetsByDay, day, 'Query.tweetsOfDay');
    return connectItems(showItems(context, list, tweet, null, 'SEARCH'), args);
  }

  @FieldResolver(() => [String], {
    description: 'The hashtags in the text, without the sign, each once, at most 30.',
  })
  hashtags(@Root() tweet: Tweet) {
    return tweet.hashtags ?? [];
  }

  @FieldResolver(() => [String], {
    description: 'The usernames that the text mentions, without the sign, each once, at most 30.',
  })
  mentions(@Root() tweet: Tweet) {
    return tweet.mentions ?? [];
  }

  @Reads(rowsOf(users))
  @FieldResolver(() => User, { description: 'Who posted it.' })
  author(@Root() { authorId }: Tweet, @Ctx() { load }: Context) {
    return readAuthor(load, authorId);
  }

  @Reads(COUNTS)
  @FieldResolver(() => Int, {
    description: 'How many users like the tweet; for a share, the count of its original.',
  })
  likeCount(@Root() tweet: Tweet, @Ctx() { load }: Context) {
    return count(load, tweet, 'likes');
  }

  @Reads(COUNTS)
  @FieldResolver(() => Int, {
    description: 'How many times the tweet was shared; for a share, the count of its original.',
  })
  shareCount(@Root() tweet: Tweet, @Ctx() { load }: Context) {
    return count(load, tweet, 'shares');
  }

  @Reads(COUNTS)
  @FieldResolver(() => Int, {
    description: 'How many replies the tweet has; for a share, the count of its original.',
  })
  replyCount(@Root() tweet: Tweet, @Ctx() { load }: Context) {
    return count(load, tweet, 'replies');
  }

  @Reads(COUNTS)
  @FieldResolver(() => Int, {
    description: 'How many tweets quote the tweet; for a share, the count of its original.',
  })
  quoteCount(@Root() tweet: Tweet, @Ctx() { load }: Context) {
    return count(load, tweet, 'quotes');
  }

  @Reads(...TWEET_BY_ID, ...SIGHT_READS)
  @FieldResolver(() => Tweet, { nullable: true, description: linked('The tweet it replies to') })
  inReplyTo(@Root() { inReplyToId }: Tweet, @Ctx() context: Context) {
    return inReplyToId === null ? null : seeTweet(context, tweetById(context.load, inReplyToId), 'THREAD');
  }

  @Reads(...TWEET_BY_ID, ...SIGHT_READS)
  @FieldResolver(() => Tweet, { nullable: true, description: linked('The tweet it shares') })
  sharedTweet(@Root() { sharedTweetId }: Tweet, @Ctx() context: Context) {
    // A viewer who sees a share also sees the shared tweet.
    return sharedTweetId === null
      ? null
      : seeTweet(context, tweetById(context.load, sharedTweetId), 'DIRECT');
  }
}

function linked(what: string): string {
  return `${what}; null when there is none, it is not stored here, or it is hidden.`;
}

/** The counts of a share are those of its original, if that is stored here. */
function count(
  load: Load,
  { tweetId, sharedTweetId }: Tweet,
  counted: Parameters<typeof countIn>[1],
): Promise<number> {
  const sumOf = (counts: Row<typeof tweetCounts> | null) => countIn(counts, counted);
  const own = load(cachedTweetCounts, { tweetId });
  if (sharedTweetId === null) return own.then(sumOf);
  return Promise.all([load(cachedTweetCounts, { tweetId: sharedTweetId }), own]).then(([original, counts]) =>
    sumOf(original ?? counts),
  );
}
