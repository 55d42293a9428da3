import { LRUCache } from 'lru-cache';
import { badArgument, badInput } from '../../kit/base/errors';
import { watch } from '../../kit/subscriptions/watch';
import { type WatchedList, type NewNode } from '../../kit/subscriptions/watched-list';
import type { Load } from '../../kit/reads/load';
import { showItems } from '../../kit/lists/list';
import type { LateArrival } from '../../kit/subscriptions/late-arrivals';
import type { Live } from '../../kit/subscriptions/live';
import { areaList } from '../map/area-list';
import type { AreaRow } from '../map/map.table';
import { areaBucketAt, findCover } from '../map/cells';
import { splitIntoBoxes, isWithin, listSides, type Box } from '../map/box';
import type { AreaInput } from '../map/map.type';
import { tweetsByArea } from '../map/map.table';
import { foundTweets, hashtagList, wordList, type AskedTweets, type TermRow } from '../search/connect-terms';
import { foldedHashtag } from '../search/terms';
import { searchedWords, knownTerms } from '../search/words';
import { tweetPosition, tweetsByAuthor } from '../tweet/tweet.lists';
import { tweet } from '../tweet/tweet.node';
import { userByUsername } from '../user/user-by-username';
import { LATE_TWEETS, areaTopics, authorTopic, termTopic } from './topics';
import {
  exceptHidden,
  lateTweets,
  signalledTweet,
  type LiveTweetsContext,
  type LiveReads,
  type TweetRow,
} from './live-tweets';

/** The conditions that all given tweets must meet. */
export interface PostedArguments {
  readonly username?: string | null;
  readonly words?: readonly string[] | null;
  readonly hashtag?: string | null;
  readonly area?: AreaInput | null;
}

/** The conditions, checked. */
interface Conditions {
  readonly authorId: string | null;
  /** The words and the hashtag; null if none are given. */
  readonly asked: AskedTweets | null;
  readonly boxes: readonly Box[];
}

/** Returns the words and the hashtag that a tweet must have; null if none are given. Throws `BAD_USER_INPUT` if they cannot be searched. */
function tweetsAsked({ words, hashtag }: PostedArguments): AskedTweets | null {
  const name = hashtag == null ? null : foldedHashtag(hashtag);
  if (name === '')
    throw badArgument('hashtag', `must have a letter or digit, but got: ${JSON.stringify(hashtag)}`);
  // The names of the lists that are queried, so that their cursors are the same.
  const ofHashtag = name === null ? null : hashtagList(name);
  const ofWords = words == null ? null : wordList(searchedWords(words));
  if (ofWords === null || ofHashtag === null) return ofWords ?? ofHashtag;
  return {
    name: `${ofWords.name} #${name}`,
    terms: [...ofWords.terms, ...ofHashtag.terms],
    isFoundIn: (tweet) => ofWords.isFoundIn(tweet) && ofHashtag.isFoundIn(tweet),
    lookIn: async (tweet, load) => (await ofWords.lookIn(tweet, load)) && ofHashtag.isFoundIn(tweet),
  };
}

/** How many terms a tweet must have: those of the words and the hashtag. */
export function termsAsked(args: PostedArguments): number {
  return tweetsAsked(args)?.terms.length ?? 0;
}

/** The new tweets for which all conditions hold. They are read from one list, and tested for the other conditions. */
export async function postedTweets(
  { live, load, viewer }: LiveTweetsContext,
  args: PostedArguments,
  after: string | null,
): Promise<AsyncIterable<NewNode<TweetRow>>> {
  const { username = null, area = null } = args;
  const asked = tweetsAsked(args);
  if (username === null && asked === null && area === null)
    throw badInput('Give at least one of username, words, hashtag and area.');
  const boxes = area === null ? [] : splitIntoBoxes(area);
  const author = username === null ? null : await userByUsername(load, username);
  if (username !== null && author === null)
    throw badArgument('username', `must be that of a user, but got: ${JSON.stringify(username)}`);
  const conditions = { authorId: author?.userId ?? null, asked, boxes };
  // The viewer's id is read while the request may still read. Later, the id leads to what is hidden from the viewer.
  await viewer.userId();
  const { authorId } = conditions;
  const posted =
    authorId !== null
      ? watch(live, byAuthor(conditions, authorId), after)
      : asked !== null
        ? watch(live, byTerms(conditions, asked), after)
        : watch(live, byArea(conditions), after);
  // With a username alone it is like the profile, with anything else like a search.
  const isProfile = authorId !== null && asked === null && boxes.length === 0;
  return exceptHidden(live, viewer, posted, isProfile ? 'DIRECT' : 'SEARCH');
}

/** The tests of the last conditions. */
const filters = new LRUCache<string, (tweet: TweetRow) => boolean>({ max: 1000 });

/**
 * Creates the test whether all conditions hold for a tweet. Subscriptions that ask for the same share one, which looks once at a tweet that
 * they have read together.
 */
export function tweetFilter(conditions: Conditions): (tweet: TweetRow) => boolean {
  const { authorId, asked, boxes } = conditions;
  const key = JSON.stringify([authorId, asked?.name ?? null, boxes]);
  let test = filters.get(key);
  if (test === undefined) {
    const known = new WeakMap<TweetRow, boolean>();
    test = (tweet) => {
      const result = known.get(tweet) ?? meets(conditions, tweet);
      known.set(tweet, result);
      return result;
    };
    filters.set(key, test);
  }
  return test;
}

/** Whether all conditions hold for a tweet. */
function meets({ authorId, asked, boxes }: Conditions, tweet: TweetRow): boolean {
  if (authorId !== null && tweet.authorId !== authorId) return false;
  if (boxes.length > 0) {
    const { location } = tweet;
    if (location === null || !isWithin(boxes, location.latitude, location.longitude)) return false;
  }
  if (asked === null) return true;
  const has = knownTerms(tweet);
  return asked.terms.every((term) => has.has(term)) && asked.isFoundIn(tweet);
}

/** Returns the parts of a watched list that give tweets which signals name, or which reach any list late. */
function wanted(
  isWanted: (tweet: TweetRow) => boolean,
  keyOf: (tweet: TweetRow) => readonly (string | Date)[],
) {
  return {
    nodeOf: (load: Load, tweetId: string) => signalledTweet(load, tweetId, isWanted),
    late: {
      ...LATE_TWEETS,
      keyOf,
      nodesOf: (live: Live<LiveReads>, arrivals: readonly LateArrival[]) =>
        lateTweets(live, arrivals, isWanted),
    },
  } as const;
}

function byAuthor(conditions: Conditions, authorId: string): WatchedList<TweetRow, TweetRow, LiveReads> {
  const isWanted = tweetFilter(conditions);
  return {
    open: ({ load }) => ({
      list: showItems({ load }, tweetsByAuthor.list(load, authorId), tweet, null).list,
      nodeOf: (row) => (isWanted(row) ? row : null),
    }),
    topics: [authorTopic(authorId)],
    ...wanted(isWanted, tweetPosition),
  };
}

function byTerms(conditions: Conditions, asked: AskedTweets): WatchedList<TermRow, TweetRow, LiveReads> {
  const isWanted = tweetFilter(conditions);
  const [longest = ''] = asked.terms.toSorted((a, b) => b.length - a.length);
  return {
    async open({ load, indexes, pass }) {
      await pass.within(indexes.newest.view(load));
      const { list, find } = foundTweets({ load, indexes }, asked);
      const nodeOf = (row: TermRow) => {
        const found = find(row);
        return found && isWanted(found) ? found : null;
      };
      return { list, nodeOf };
    },
    // A tweet must have all terms, so the signals of one are enough.
    topics: [termTopic(longest)],
    ...wanted(isWanted, tweetPosition),
  };
}

/** Milliseconds by which the clock of another server may be ahead. */
const MAX_AHEAD_MS = 3_600_000;

function byArea({ boxes, ...conditions }: Conditions): WatchedList<AreaRow, TweetRow, LiveReads> {
  const isWanted = tweetFilter({ boxes, ...conditions });
  const { grid } = findCover(boxes);
  return {
    open({ load }, since) {
      const list = areaList(load, boxes, { from: since, to: new Date(Date.now() + MAX_AHEAD_MS) });
      const name = [tweetsByArea.name, ...boxes.flatMap(listSides)].join(' ');
      const { list: shown, find } = showItems({ load }, { ...list, name }, tweet, 'tweetId');
      return { list: shown, nodeOf: find };
    },
    bucketAt: (moment) => areaBucketAt(grid, moment),
    topics: areaTopics(boxes),
    ...wanted(isWanted, ({ createdAt, tweetId }) => [createdAt, tweetId]),
  };
}
