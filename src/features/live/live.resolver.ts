import { Arg, Ctx, ID, Resolver, Root, Subscription } from 'type-graphql';
import { FREE } from '../../kit/cost/cost';
import { stretchReads, splitPagesOf } from '../../kit/lists/page-bounds';
import { CostExample, Reads, rowsOf, upTo, type CostArguments, type TableBound } from '../../kit/cost/reads';
import { Bounded, ID_BOUNDS } from '../../kit/input/input-bounds';
import { relations } from '../follow/follow.table';
import { MAX_ITEMS } from '../../kit/subscriptions/alarm';
import { ARRIVALS_AT_ONCE, lateArrivals } from '../../kit/subscriptions/late-arrivals';
import type { NewNode } from '../../kit/subscriptions/watched-list';
import { cursorIn } from '../../kit/input/page-args';
import { NEWEST_IN_AREA } from '../map/area-reads';
import { SIGHT_READS } from '../hidden/hidden-reads';
import { AreaInput } from '../map/map.type';
import { indexReads } from '../../kit/postings/term-reads';
import { MAX_WORDS } from '../search/words';
import { TIMELINE_READS } from '../timeline/timeline-reads';
import { TWEET_BY_ID, TWEETS_POINTED_TO } from '../tweet/tweet-reads';
import { tweetsByAuthor } from '../tweet/tweet.lists';
import { tweetCounts, tweets } from '../tweet/tweet.table';
import { TweetEdge } from '../tweet/tweet.node';
import { Tweet } from '../tweet/tweet.type';
import { NAME_BOUNDS } from '../user/user-by-username';
import { profilesByUsername, users } from '../user/user.table';
import { whileStaying } from '../viewer/while-staying';
import type { LiveTweetsContext, TweetRow } from './live-tweets';
import { postedTweets, termsAsked, type PostedArguments } from './posted-tweets';
import { timelineTweets } from './timeline-tweets';
import { tweetChanges, type TweetAfterChange } from './tweet-changes';

/** The bounds of a cursor. */
const CURSOR_BOUNDS = { maxLength: 200 };

const AFTER = {
  nullable: true,
  description:
    'A cursor of this list, from an event or a page of `NEWEST`: gives everything newer, oldest first, and then what comes. Without it, only what comes.',
} as const;

/** The read by which a subscription finds late rows. */
const LATE = upTo(lateArrivals, () => ({ reads: 1, rows: ARRIVALS_AT_ONCE }));

/** The reads of the tweets that signals name, besides finding out which shares are being removed. */
const SIGNALLED = rowsOf(tweets, MAX_ITEMS);

/** The terms of the list that is read: none if that is the list of an author. */
function termsRead(args: Readonly<Record<string, unknown>>): number {
  return args['username'] == null ? termsAsked(args) : 0;
}

/** The reads of the list of an author, if a username is given. */
const OF_AUTHOR = [splitPagesOf(tweetsByAuthor), stretchReads()].map(
  ({ table, cost, bytes }): TableBound => ({
    table,
    cost: (asked) => (asked.args['username'] == null ? FREE : cost(asked)),
    bytes: (asked) => (asked.args['username'] == null ? 0 : bytes(asked)),
  }),
);

/** The reads of the list of an area, if nothing else is given. */
const IN_AREA = NEWEST_IN_AREA.map(({ table, otherTables = [], cost, bytes }): TableBound => {
  const isRead = ({ args }: CostArguments) => args['username'] == null && termsRead(args) === 0;
  return {
    ...{ table, otherTables },
    cost: (asked) => (isRead(asked) ? cost(asked) : FREE),
    bytes: (asked) => (isRead(asked) ? bytes(asked) : 0),
  };
});

/** Subscriptions to tweets. */
@Resolver()
export class LiveResolver {
  @Reads(...TIMELINE_READS, SIGNALLED, rowsOf(relations, MAX_ITEMS), LATE, ...SIGHT_READS)
  @Subscription(() => TweetEdge, {
    subscribe: async ({ args, context }) =>
      whileStaying(
        context as LiveTweetsContext,
        await timelineTweets(context as LiveTweetsContext, afterIn(args)),
      ),
    description:
      "The new tweets of the caller's home timeline as they come. After resuming, tweets may come again, but none is left out.",
  })
  timelineTweet(
    @Root() edge: NewNode<TweetRow>,
    @Bounded(CURSOR_BOUNDS) @Arg('after', () => String, AFTER) _after: string | null,
  ) {
    return edge;
  }

  @CostExample('a username', { username: 'ada' })
  @Reads(
    ...OF_AUTHOR,
    ...indexReads(tweets, termsRead),
    ...IN_AREA,
    rowsOf(profilesByUsername),
    rowsOf(users),
    ...TWEETS_POINTED_TO,
    SIGNALLED,
    LATE,
    ...SIGHT_READS,
  )
  @Subscription(() => TweetEdge, {
    subscribe: async ({ args, context }) =>
      whileStaying(
        context as LiveTweetsContext,
        await postedTweets(context as LiveTweetsContext, args as PostedArguments, afterIn(args)),
      ),
    description:
      'The new tweets that match all that is given, of which there must be at least one. After resuming, tweets may come again, but none is left out.',
  })
  tweetPosted(
    @Root() edge: NewNode<TweetRow>,
    @Bounded(NAME_BOUNDS)
    @Arg('username', () => String, { nullable: true, description: 'Who has posted it.' })
    _username: string | null,
    @Bounded({ maxItems: MAX_WORDS, maxLength: 100 })
    @Arg('words', () => [String], {
      nullable: true,
      description: 'Words that it has, as for `searchTweets`.',
    })
    _words: string[] | null,
    @Bounded({ maxLength: 500 })
    @Arg('hashtag', () => String, {
      nullable: true,
      description: 'A hashtag that it has, with or without the sign.',
    })
    _hashtag: string | null,
    @Arg('area', () => AreaInput, { nullable: true, description: 'Where it was posted.' })
    _area: AreaInput | null,
    @Bounded(CURSOR_BOUNDS) @Arg('after', () => String, AFTER) _after: string | null,
  ) {
    return edge;
  }

  @Reads(...TWEET_BY_ID, rowsOf(tweetCounts), ...SIGHT_READS)
  @Subscription(() => Tweet, {
    nullable: true,
    subscribe: async ({ args, context }) =>
      whileStaying(
        context as LiveTweetsContext,
        await tweetChanges(context as LiveTweetsContext, (args as { readonly id: string }).id),
      ),
    description:
      'A tweet as it is now, and again when its counts have changed, at most once a second. Null, and the end, when it is deleted or does not exist.',
  })
  tweetChanged(
    @Root() { tweet }: TweetAfterChange,
    @Ctx() { load }: LiveTweetsContext,
    @Bounded(ID_BOUNDS) @Arg('id', () => ID) _id: string,
  ) {
    // Its counts must not be those that this server has cached.
    load.forget();
    return tweet;
  }
}

function afterIn(args: unknown): string | null {
  return cursorIn((args as { readonly after?: string | null }).after);
}
