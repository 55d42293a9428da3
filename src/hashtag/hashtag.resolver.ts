import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../context';
import { badInput } from '../kit/errors';
import { Bounded } from '../kit/graphql/input-bounds';
import { Reads } from '../kit/model/reads';
import { buckets } from '../kit/relay/buckets';
import { connectNodes } from '../kit/relay/connection';
import { placesIn } from '../kit/relay/spread';
import { termList, topTermList } from '../search/term-list';
import { ownerOf } from '../search/term-rows';
import { hashtags, tweetsByHashtag, topTweetsByHashtag } from '../search/term.table';
import { foldedHashtag } from '../search/words';
import { MOST_LIKED_BOUND, TweetOrder, TweetOrderArgs } from '../tweet/tweet-order';
import { deletedTweets, tweetCounts, tweets } from '../tweet/tweet.table';
import { TweetConnection } from '../tweet/tweet.type';
import { hashtagsByHour } from './hashtag.table';
import { Hashtag, TrendingHashtag } from './hashtag.type';
import { trending, TrendWindow } from './trending';

const MOST_TRENDING = 100;

/** Hashtags, their tweets, and which are trending. */
@Resolver(() => Hashtag)
export class HashtagResolver {
  @Reads(buckets)
  @Query(() => Hashtag, {
    nullable: true,
    description:
      'A hashtag, with or without sign, whatever its case and accents; null when no tweet ever had it. Costs one partition of `buckets`.',
  })
  async hashtag(
    @Bounded({ maxLength: 500 }) @Arg('name', () => String) name: string,
    @Ctx() { load }: Context,
  ) {
    const folded = foldedHashtag(name);
    const { buckets } = await placesIn(load, tweetsByHashtag.name, ownerOf(folded));
    return buckets.length === 0 ? null : { name: folded };
  }

  @Reads(hashtagsByHour)
  @Query(() => [TrendingHashtag], {
    description:
      'The hashtags that most authors used lately, by score, then by name. An author counts once, by the last use: 1 in the last quarter of the window, 1/2 in the quarter before, then 1/4 and 1/8 (exponential decay in steps). Shares do not count. Costs five partitions of `hashtags_by_hour` for each hour of the window, twenty hours in five requests; two first; from some 500,000 rows on older hours are left out.',
  })
  async trendingHashtags(
    @Arg('window', () => TrendWindow, { defaultValue: TrendWindow.DAY }) window: TrendWindow,
    @Arg('first', () => Int, { nullable: true, defaultValue: 10, description: '1 to 100.' })
    first: number | null,
    @Ctx() { load }: Context,
  ) {
    const most = first ?? 10;
    if (most < 1 || most > MOST_TRENDING)
      throw badInput(`first must be 1 to ${MOST_TRENDING}, but got: ${most}`);
    const trends = await trending(load, window, most);
    return trends.map(({ name, count }) => ({ hashtag: { name }, count }));
  }

  @Reads(tweetsByHashtag, topTweetsByHashtag, tweets, tweetCounts, deletedTweets, buckets)
  @FieldResolver(() => TweetConnection, {
    description:
      'The tweets that have the hashtag. Costs one partition of `buckets`, per year walked one of `tweets_by_hashtag`, and one of `tweets` for each tweet. The most liked cost one of `top_tweets_by_hashtag` for each year and, for each tweet whose likes are of the same order of magnitude as those of the page, one of `tweet_counts`; where they end, what the newest cost. Of a year in which more than 20,000 tweets have it there are 8 partitions. ' +
      MOST_LIKED_BOUND,
  })
  async tweets(
    @Root() { name }: Hashtag,
    @Args(() => TweetOrderArgs) args: TweetOrderArgs,
    @Ctx() { load }: Context,
  ) {
    const terms = [name];
    return args.order === TweetOrder.NEWEST
      ? connectNodes(await termList(load, hashtags, terms), args)
      : connectNodes(await topTermList(load, hashtags, terms), args);
  }
}
