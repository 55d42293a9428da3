import { Arg, Args, Ctx, FieldResolver, Int, Query, Resolver, Root } from 'type-graphql';
import type { Context } from '../context';
import { badInput } from '../kit/base/errors';
import { FREE } from '../kit/cost/cost';
import { MaxItems, Reads, upTo } from '../kit/cost/reads';
import { Bounded } from '../kit/input/input-bounds';
import { buckets } from '../kit/data/buckets';
import { MAX_TERM_BUCKETS, readListPartitions } from '../kit/data/shards';
import { connectTerms, termReads } from '../search/connect-terms';
import { ownerOf } from '../search/term-owner';
import { hashtags, tweetsByHashtag } from '../search/term.table';
import { foldedHashtag } from '../search/words';
import { MOST_LIKED_BOUND, TweetOrderArgs } from '../tweet/tweet-order';
import { TweetConnection } from '../tweet/tweet.type';
import { hashtagsByHour } from './hashtag.table';
import { Hashtag, TrendingHashtag } from './hashtag.type';
import { MAX_TRENDS, TrendWindow, type TrendsContext } from './trending';

const DEFAULT_TRENDING = 10;

/** Hashtags, their tweets, and which are trending. */
@Resolver(() => Hashtag)
export class HashtagResolver {
  @Reads(upTo(buckets, () => ({ reads: 1, rows: MAX_TERM_BUCKETS })))
  @Query(() => Hashtag, {
    nullable: true,
    description:
      'A hashtag, with or without sign, whatever its case and accents; null when no tweet ever had it.',
  })
  async hashtag(
    @Bounded({ maxLength: 500 }) @Arg('name', () => String) name: string,
    @Ctx() { load }: Context,
  ) {
    const folded = foldedHashtag(name);
    const { buckets } = await readListPartitions(load, tweetsByHashtag.name, ownerOf(folded));
    return buckets.length === 0 ? null : { name: folded };
  }

  @MaxItems(({ first }) => Math.min(Math.max(Number(first ?? DEFAULT_TRENDING), 0), MAX_TRENDS))
  @Reads(upTo(hashtagsByHour, () => FREE))
  @Query(() => [TrendingHashtag], {
    description:
      'The hashtags that most authors used lately, by score, then by name. An author counts once, by the last use: 1 in the last quarter of the window, 1/2 in the quarter before, then 1/4 and 1/8 (exponential decay in steps). Shares do not count. Each server counts them from time to time, by default once a minute, for all who ask; from some 500,000 uses on older hours are left out.',
  })
  async trendingHashtags(
    @Arg('window', () => TrendWindow, { defaultValue: TrendWindow.DAY }) window: TrendWindow,
    @Arg('first', () => Int, { nullable: true, defaultValue: DEFAULT_TRENDING, description: '1 to 100.' })
    first: number | null,
    @Ctx() { trends, pass }: TrendsContext,
  ) {
    const most = first ?? DEFAULT_TRENDING;
    if (most < 1 || most > MAX_TRENDS) throw badInput(`first must be 1 to ${MAX_TRENDS}, but got: ${most}`);
    const found = await pass.within(trends.of(window));
    return found.slice(0, most).map(({ name, count }) => ({ hashtag: { name }, count }));
  }

  @Reads(...termReads(hashtags, () => 1))
  @FieldResolver(() => TweetConnection, {
    description: `The tweets that have the hashtag, by years; of a year in which more than 20,000 tweets have it there are 8 partitions. ${MOST_LIKED_BOUND}`,
  })
  async tweets(
    @Root() { name }: Hashtag,
    @Args(() => TweetOrderArgs) args: TweetOrderArgs,
    @Ctx() { load }: Context,
  ) {
    return connectTerms(load, hashtags, [name], args.order, args);
  }
}
