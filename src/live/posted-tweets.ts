import { badInput } from '../kit/base/errors';
import { watch, type WatchedList, type NewNode } from '../kit/live/watch';
import type { Load } from '../kit/data/load';
import type { LateArrival } from '../kit/live/late-arrivals';
import type { Live } from '../kit/live/live';
import { areaList } from '../map/area-list';
import type { AreaRow } from '../map/map.table';
import { bucketOf } from '../map/area-buckets';
import { boxesOf, isWithin, sidesOf, type Box } from '../map/box';
import { coverOf } from '../map/cells';
import type { AreaInput } from '../map/map.input';
import { tweetsByArea } from '../map/map.table';
import { newestList, type TermRow } from '../search/connect-terms';
import { hashtagTerm, termsOf } from '../search/tweet-index';
import { foldedHashtag, searchedWords } from '../search/words';
import { pointedTweets, tweetList, tweetPosition } from '../tweet/tweet-list';
import { tweetsByAuthor } from '../tweet/tweet.table';
import { userByUsername } from '../user/user-by-username';
import { LATE_TWEETS } from './late-tweets';
import { lateTweet, signalledTweet, type LiveContext, type LiveReads, type TweetRow } from './live-tweets';
import { areaTopics, authorTopic, termTopic } from './topics';

/** Which tweets are given: those for which everything that is given holds. */
export interface PostedArguments {
  readonly username?: string | null;
  readonly words?: readonly string[] | null;
  readonly hashtag?: string | null;
  readonly area?: AreaInput | null;
}

/** The conditions, checked. */
interface Conditions {
  readonly authorId: string | null;
  readonly terms: readonly string[];
  readonly boxes: readonly Box[];
}

/** The terms that a tweet must have. Throws `BAD_USER_INPUT` for words that cannot be searched. */
export function termsAsked({ words, hashtag }: PostedArguments): readonly string[] {
  const named = hashtag == null ? [] : [foldedHashtag(hashtag)];
  if (named.includes(''))
    throw badInput(`hashtag must have a letter or digit, but got: ${JSON.stringify(hashtag)}`);
  return [...(words == null ? [] : searchedWords(words)), ...named.map(hashtagTerm)];
}

/** The new tweets for which all conditions hold. They are read from one list, and tested for the other conditions. */
export async function postedTweets(
  { live, load }: LiveContext,
  args: PostedArguments,
  after: string | null,
): Promise<AsyncIterable<NewNode<TweetRow>>> {
  const { username = null, area = null } = args;
  const terms = termsAsked(args);
  if (username === null && terms.length === 0 && area === null)
    throw badInput('Give at least one of username, words, hashtag and area.');
  const boxes = area === null ? [] : boxesOf(area);
  const author = username === null ? null : await userByUsername(load, username);
  if (username !== null && author === null)
    throw badInput(`username must be that of a user, but got: ${JSON.stringify(username)}`);
  const conditions = { authorId: author?.userId ?? null, terms, boxes };
  if (conditions.authorId !== null) return watch(live, byAuthor(conditions, conditions.authorId), after);
  return terms.length > 0
    ? watch(live, byTerms(conditions, isHashtagOnly(args)), after)
    : watch(live, byArea(conditions), after);
}

function isHashtagOnly({ words, hashtag }: PostedArguments): string | null {
  return words == null && hashtag != null ? foldedHashtag(hashtag) : null;
}

/** Creates the test whether all conditions hold for a tweet. */
function testOf({ authorId, terms, boxes }: Conditions): (tweet: TweetRow) => boolean {
  return (tweet) => {
    if (authorId !== null && tweet.authorId !== authorId) return false;
    if (boxes.length > 0) {
      const { location } = tweet;
      if (location === null || !isWithin(boxes, location.latitude, location.longitude)) return false;
    }
    if (terms.length === 0) return true;
    const has = new Set(termsOf(tweet));
    return terms.every((term) => has.has(term));
  };
}

/** What a signal names, and what reaches any list of tweets late. */
function wanted(
  isWanted: (tweet: TweetRow) => boolean,
  keyOf: (tweet: TweetRow) => readonly (string | Date)[],
) {
  return {
    nodeOf: (load: Load, tweetId: string) => signalledTweet(load, tweetId, isWanted),
    late: {
      ...LATE_TWEETS,
      keyOf,
      nodesOf: (live: Live<LiveReads>, arrival: LateArrival) => lateTweet(live, arrival, isWanted),
    },
  } as const;
}

function byAuthor(conditions: Conditions, authorId: string): WatchedList<TweetRow, TweetRow, LiveReads> {
  const isWanted = testOf(conditions);
  return {
    open: ({ load }) => ({
      list: tweetList(load, tweetsByAuthor, { authorId }),
      nodeOf: (tweet) => (isWanted(tweet) ? tweet : null),
    }),
    topics: [authorTopic(authorId)],
    ...wanted(isWanted, tweetPosition),
  };
}

function byTerms(conditions: Conditions, hashtag: string | null): WatchedList<TermRow, TweetRow, LiveReads> {
  const { terms } = conditions;
  const isWanted = testOf(conditions);
  // The names of the lists that are queried, so that their cursors are the same.
  const name = hashtag === null ? `word ${terms.join(' ')}` : `hashtag ${hashtag}`;
  const [longest = ''] = terms.toSorted((a, b) => b.length - a.length);
  return {
    async open({ load, indexes, pass }) {
      await pass.within(indexes.newest.view(load));
      const { shown, tweetOf } = pointedTweets(load);
      const nodeOf = (row: TermRow) => {
        const tweet = tweetOf(row);
        return tweet && isWanted(tweet) ? tweet : null;
      };
      return { list: { ...newestList(load, indexes, name, terms), shown }, nodeOf };
    },
    // A tweet must have all terms, so the signals of one are enough.
    topics: [termTopic(longest)],
    ...wanted(isWanted, tweetPosition),
  };
}

/** Milliseconds by which the clock of another server may be ahead. */
const MAX_AHEAD_MS = 3_600_000;

function byArea({ boxes, ...conditions }: Conditions): WatchedList<AreaRow, TweetRow, LiveReads> {
  const isWanted = testOf({ boxes, ...conditions });
  const { grid } = coverOf(boxes);
  return {
    open({ load }, since) {
      const list = areaList(load, boxes, { from: since, to: new Date(Date.now() + MAX_AHEAD_MS) });
      const { shown, tweetOf } = pointedTweets(load);
      const sides = boxes.flatMap(sidesOf);
      return { list: { ...list, name: [tweetsByArea.name, ...sides].join(' '), shown }, nodeOf: tweetOf };
    },
    bucketAt: (moment) => bucketOf(grid, moment),
    topics: areaTopics(boxes),
    ...wanted(isWanted, ({ createdAt, tweetId }) => [createdAt, tweetId]),
  };
}
