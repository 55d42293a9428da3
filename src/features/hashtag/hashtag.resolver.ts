import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, Ctx, FieldResolver, Info, Int, Query, Resolver, Root } from 'type-graphql';
import { badArgument } from '../../kit/base/errors';
import { FREE } from '../../kit/cost/cost';
import { MaxItems, Reads, rowsOf, upTo, type Sized } from '../../kit/cost/reads';
import { selects } from '../../kit/cost/selects';
import { Bounded } from '../../kit/input/input-bounds';
import { FIRST_POSTINGS } from '../../kit/postings/find';
import { MAX_READS_OF_TERM } from '../../kit/postings/inverted-index';
import { postings, segmentEntries, segments } from '../../kit/postings/postings.table';
import { connectTweets, hashtagList, tweetTermReads } from '../search/connect-terms';
import { foldedHashtag } from '../search/terms';
import type { SearchContext } from '../search/tweet-index';
import { TweetOrderArgs } from '../tweet/tweet-order';
import { DELETIONS } from '../tweet/tweet-reads';
import { tweets } from '../tweet/tweet.table';
import { TweetConnection } from '../tweet/tweet.node';
import { hashtagsByHour } from './hashtag.table';
import { Hashtag, TrendingHashtag } from './hashtag.type';
import { isUsed, readSpelling, SPELLING_TWEETS } from './spelling';
import { MAX_TRENDS } from './rank-hashtags';
import { TrendWindow, type TrendsContext } from './trending';

const DEFAULT_TRENDING = 10;

/** The reads of some tweets of a hashtag, if a query asks how it is written. */
const ofSpelling = (table: Sized) =>
  upTo(table, ({ selects: isSelected }) =>
    isSelected('Hashtag', 'name') ? { reads: SPELLING_TWEETS, rows: SPELLING_TWEETS } : FREE,
  );

/** Hashtags, their tweets, and trends. */
@Resolver(() => Hashtag)
export class HashtagResolver {
  @Reads(
    upTo(postings, () => ({ reads: MAX_READS_OF_TERM, rows: MAX_READS_OF_TERM * FIRST_POSTINGS })),
    rowsOf(segments),
    ofSpelling(segmentEntries),
    ofSpelling(tweets),
    DELETIONS,
  )
  @Query(() => Hashtag, {
    nullable: true,
    description:
      'A hashtag by its name, with or without the sign; case and accents do not matter. Null when no tweet has it, or another one with the same first 64 characters; after its last tweet was deleted, perhaps only some time later.',
  })
  async hashtag(
    @Bounded({ maxLength: 500 }) @Arg('name', () => String) name: string,
    @Ctx() { load, indexes, pass }: SearchContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    const key = foldedHashtag(name);
    await pass.within(indexes.newest.view(load));
    if (!(await isUsed(load, indexes, key))) return null;
    // The name is not waited for, so that its tweets are read together with those of `tweets`.
    return { key, name: selects(info, 'Hashtag', 'name') ? readSpelling(load, indexes, key) : key };
  }

  @FieldResolver(() => String, {
    description:
      'The name without the sign, as most of ten of its newest tweets write it; of as many, as the newest does.',
  })
  name(@Root() { name }: Hashtag) {
    return name;
  }

  @MaxItems(({ first }) => Math.min(Math.max(Number(first ?? DEFAULT_TRENDING), 0), MAX_TRENDS))
  @Reads(upTo(hashtagsByHour, () => FREE))
  @Query(() => [TrendingHashtag], {
    description:
      'The hashtags that most authors used lately, by score, then by name; shares do not count. An author counts once for each hashtag, and less the longer ago.',
  })
  async trendingHashtags(
    @Arg('window', () => TrendWindow, { defaultValue: TrendWindow.DAY }) window: TrendWindow,
    @Arg('first', () => Int, { nullable: true, defaultValue: DEFAULT_TRENDING, description: '1 to 100.' })
    first: number | null,
    @Ctx() { trends, pass }: TrendsContext,
  ) {
    const limit = first ?? DEFAULT_TRENDING;
    if (limit < 1 || limit > MAX_TRENDS)
      throw badArgument('first', `must be 1 to ${MAX_TRENDS}, but got: ${limit}`);
    const found = await pass.within(trends.of(window));
    return found.slice(0, limit).map(({ key, name, count }) => ({ hashtag: { key, name }, count }));
  }

  @Reads(...tweetTermReads(() => 1))
  @FieldResolver(() => TweetConnection, {
    description: 'The tweets that have the hashtag. A page may be short or empty and yet have a next one.',
  })
  async tweets(
    @Root() { key }: Hashtag,
    @Args(() => TweetOrderArgs) args: TweetOrderArgs,
    @Ctx() context: SearchContext,
  ) {
    return connectTweets('Hashtag.tweets', context, hashtagList(key), args.order, args);
  }
}
