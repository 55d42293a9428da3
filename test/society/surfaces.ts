import type { Harness } from '../support/harness';
import type { Made, Society, Tweeted } from './model';

/** The people of a round, and what tells their tweets from those of other rounds. */
export interface Round {
  readonly society: Society;
  /** A word that all tweets have, as a hashtag. */
  readonly word: string;
  readonly began: Date;
  /** The south of the place where tweets are posted. */
  readonly south: number;
  readonly usernameOf: (userId: string) => string;
}

/** What somebody is shown, by the name of the surface. */
export type Shown = ReadonlyMap<string, unknown>;

interface Answers {
  readonly [field: string]: unknown;
}
interface Page {
  readonly nodes: readonly { readonly key: string }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

const TWEETS = '(first: 100) { nodes { tweetId } }';
const TOP = '(first: 100, order: MOST_LIKED) { nodes { tweetId } }';
const USERS = '(first: 10) { nodes { userId } hiddenCount }';
const IDS = '(first: 100) { nodes { id } }';

const PERSON = `viewerIsBlocking isBlockingViewer viewerIsMuting viewerIsFollowing isFollowingViewer
  tweets${TWEETS} top: tweets${TOP} likes${TWEETS} followers${USERS} following${USERS} articles${IDS}`;
const TWEET = `likeCount shareCount replyCount quoteCount viewerHasLiked viewerHasShared viewerHasBookmarked quotedTweetHiddenReason
  inReplyTo { tweetId } sharedTweet { tweetId } quotedTweet { tweetId } root { tweetId }
  replies${TWEETS} top: replies${TOP} quotes${TWEETS} likers${USERS} sharers${USERS}
  ancestors(first: 40) { nodes { tweetId } }
  thread(depth: 20, perParent: 100, first: 100) { edges { tweetId node { tweetId } hiddenReason } }`;
const OWN = `timeline${TWEETS} top: timeline${TOP} bookmarks(first: 100) { edges { tweetId node { tweetId } hiddenReason } }
  blockedUsers(first: 100) { nodes { userId } } mutedUsers(first: 100) { edges { node { userId } scope } }
  mutedWords { text where exceptFollowed }`;

/** The tweets of one request: a request has so many aliases. */
const TWEETS_AT_ONCE = 20;

/** Lists as sorted ids: their order is the thing of other tests. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items: unknown[] = value.map(plain);
    return items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  }
  if (typeof value !== 'object' || value === null) return value;
  const { tweetId, userId, nodes, edges, hiddenCount, ...more } = value as Answers;
  const id = tweetId ?? userId ?? more['id'];
  if (Object.keys(value).length === 1 && id !== undefined) return id;
  if (nodes !== undefined && hiddenCount === undefined) return plain(nodes);
  if (edges !== undefined) return plain(edges);
  const rest = Object.entries({ id, nodes, hiddenCount, ...more }).filter(([, one]) => one !== undefined);
  return Object.fromEntries(rest.map(([name, one]) => [name, plain(one)]));
}

async function ask(server: Harness, source: string, who: string | null): Promise<Answers> {
  const { data, errors } = await server.query(source, {}, who);
  expect(errors).toEqual([]);
  return data as Answers;
}

/** The keys of a list of everybody's, newest first, up to where it comes to what is older than the round. */
async function walk(server: Harness, list: string, key: string, who: string | null, known: Set<string>) {
  const found: string[] = [];
  for (let after = '', isMore = true; isMore;) {
    const page = list.replace('PAGE', `first: 100, after: "${after}"`);
    const source = `{ list: ${page} { nodes { key: ${key} } pageInfo { hasNextPage endCursor } } }`;
    const { nodes, pageInfo } = ((await ask(server, source, who)) as { list: Page }).list;
    const keys = nodes.map(({ key: one }) => one);
    found.push(...keys.filter((one) => known.has(one)));
    after = pageInfo.endCursor ?? '';
    isMore = pageInfo.hasNextPage && keys.every((one) => known.has(one));
  }
  return found;
}

const dayOf = (date: Date) => date.toISOString().slice(0, 10);

async function lookAtAll(server: Harness, round: Round, who: string | null): Promise<[string, unknown][]> {
  const { society, word, began, south, usernameOf } = round;
  const area = `area: { south: ${south}, west: 10, north: ${south + 0.4}, east: 11 }`;
  const period = `from: "${began.toISOString()}", to: "2100-01-01T00:00:00Z"`;
  const asked = `{ ${who === null ? '' : `viewer { ${OWN} }`}
    search: searchTweets(words: ["${word}"], order: NEWEST, first: 100) { nodes { tweetId } }
    searchTop: searchTweets(words: ["${word}"], order: MOST_LIKED, first: 100) { nodes { tweetId } }
    hashtag(name: "${word}") { tweets${TWEETS} top: tweets${TOP} }
    tweetsInArea(${area}, ${period}, first: 100) { nodes { tweetId } }
    comments(${period}, first: 100) { nodes { id } }
    found: searchUsers(text: "${word}p") { userId }
    ${society.people.map((id) => `u${id}: user(username: "${usernameOf(id)}") { ${PERSON} } f${id}: searchUsers(text: "${usernameOf(id)}") { userId }`).join('\n')}
    ${society.articles.map(({ id }, n) => `a${n}: article(id: "${id}") { comments${IDS} authorComments${IDS} }`).join('\n')} }`;
  const shown = Object.entries(await ask(server, asked, who));
  const isTweet = new Set(society.tweets.map(({ tweetId }) => tweetId));
  const isArticle = new Set(society.articles.map(({ id }) => id));
  const days = [...new Set([dayOf(began), dayOf(new Date())])];
  const ofDays = (list: string, key: string, known: Set<string>) =>
    Promise.all(days.map((day) => walk(server, `${list}(day: "${day}", PAGE)`, key, who, known)));
  return [
    ...shown,
    ['tweetsOfDay', (await ofDays('tweetsOfDay', 'tweetId', isTweet)).flat()],
    ['articlesOfDay', (await ofDays('articlesOfDay', 'id', isArticle)).flat()],
  ];
}

/** Everything that the API shows somebody of a round, and of some of its tweets. */
export async function look(
  server: Harness,
  round: Round,
  tweets: readonly Tweeted[],
  who: string | null,
): Promise<Shown> {
  const shown = await lookAtAll(server, round, who);
  const ids = tweets.map(({ id }: Made) => JSON.stringify(id)).join(', ');
  shown.push(
    ...Object.entries(await ask(server, `{ nodes(ids: [${ids}]) { ... on Tweet { tweetId } } }`, who)),
  );
  for (let from = 0; from < tweets.length; from += TWEETS_AT_ONCE) {
    const some = tweets.slice(from, from + TWEETS_AT_ONCE);
    const asked = some.map(({ tweetId }) => `t${tweetId}: tweet(tweetId: "${tweetId}") { ...T }`);
    const source = `{ ${asked.join('\n')} } fragment T on Tweet { ${TWEET} }`;
    shown.push(...Object.entries(await ask(server, source, who)));
  }
  return new Map(shown.map(([name, value]) => [name, plain(value)]));
}
