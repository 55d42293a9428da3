import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { PEOPLE, things } from './world';

/** How a field is asked for what it shows. */
export interface Probe {
  readonly query: string;
  readonly place: 'TIMELINE' | 'SEARCH' | 'THREAD' | 'LIST' | 'DIRECT' | 'PROFILE';
  /** Whose list it is: that of somebody with a block between is empty. */
  readonly of?: string;
}

export const TWEETS = '(first: 100) { nodes { tweetId } pageInfo { hasNextPage } }';
const USERS = '(first: 100) { nodes { userId } hiddenCount }';
const IDS = '(first: 100) { nodes { id } }';
const day = new Date().toISOString().slice(0, 10);
const period = 'from: "2026-01-01T00:00:00Z", to: "2030-01-01T00:00:00Z"';

function eachUser(field: (name: string) => string): Probe[] {
  return Object.entries(PEOPLE).map(([name, userId]) => ({
    query: `{ user(username: "user${name}") { ${field(name)} } }`,
    place: 'LIST',
    of: userId,
  }));
}
function eachTweet(field: string, place: Probe['place']): Probe[] {
  const named = [...things.keys()].filter((key) => key.startsWith('tweet '));
  return named.map((key) => ({ query: `{ tweet(tweetId: "${key.slice(6)}") { it: ${field} } }`, place }));
}
function eachNode(kind: string, more: string): Probe[] {
  const keys = [...things.keys()]
    .filter((key) => key.startsWith(`${kind} `))
    .map((key) => key.slice(kind.length + 1));
  return keys.map((key) => {
    const id =
      kind === 'tweet' ? encodeNodeId('Tweet', key) : kind === 'user' ? encodeNodeId('User', key) : key;
    return { query: more.replace('ID', id), place: kind === 'user' ? 'PROFILE' : 'DIRECT' };
  });
}
const WHOLE = '... on Tweet { tweetId } ... on User { userId } ... on Article { id } ... on Comment { id }';

/** How each field of the schema that shows what people have made is probed. */
export const probes: Readonly<Record<string, () => readonly Probe[]>> = {
  'User.tweets': () => [
    ...eachUser(() => `it: tweets${TWEETS}`),
    ...eachUser(() => `it: tweets${TWEETS.replace('(', '(order: MOST_LIKED, ')}`),
  ],
  'User.likes': () => eachUser(() => `it: likes${TWEETS}`),
  'User.followers': () => eachUser(() => `it: followers${USERS}`),
  'User.following': () => eachUser(() => `it: following${USERS}`),
  'User.articles': () => eachUser(() => `it: articles${IDS}`),
  'User.timeline': () =>
    ['', 'order: MOST_LIKED, '].map((order) => ({
      query: `{ viewer { it: timeline${TWEETS.replace('(', `(${order}`)} } }`,
      place: 'TIMELINE',
    })),
  'Tweet.replies': () => [
    ...eachTweet(`replies${TWEETS}`, 'THREAD'),
    ...eachTweet(`replies${TWEETS.replace('(', '(order: MOST_LIKED, ')}`, 'THREAD'),
  ],
  'Tweet.quotes': () => eachTweet(`quotes${TWEETS}`, 'THREAD'),
  'Tweet.sharers': () => eachTweet(`sharers${USERS}`, 'LIST'),
  'Tweet.likers': () => eachTweet(`likers${USERS}`, 'LIST'),
  'Tweet.inReplyTo': () => eachTweet('inReplyTo { tweetId }', 'THREAD'),
  'Tweet.sharedTweet': () => eachTweet('sharedTweet { tweetId }', 'DIRECT'),
  'Tweet.quotedTweet': () => eachTweet('quotedTweet { tweetId }', 'THREAD'),
  'Tweet.root': () => eachTweet('root { tweetId }', 'THREAD'),
  'Tweet.ancestors': () => eachTweet('ancestors(first: 40) { nodes { tweetId } }', 'THREAD'),
  'Article.comments': () =>
    eachNode('article', `{ node(id: "ID") { ... on Article { it: comments${IDS} } } }`),
  'Article.authorComments': () =>
    eachNode('article', `{ node(id: "ID") { ... on Article { it: authorComments${IDS} } } }`),
  'Hashtag.tweets': () =>
    ['', 'order: MOST_LIKED, '].map((order) => ({
      query: `{ hashtag(name: "wall") { it: tweets${TWEETS.replace('(', `(${order}`)} } }`,
      place: 'SEARCH',
    })),
  'Query.searchTweets': () =>
    ['NEWEST', 'MOST_LIKED'].map((order) => ({
      query: `{ it: searchTweets(words: ["stone"], order: ${order}, first: 100) { nodes { tweetId } } }`,
      place: 'SEARCH',
    })),
  'Query.tweetsOfDay': () => [
    { query: `{ it: tweetsOfDay(day: "${day}", first: 100) { nodes { tweetId } } }`, place: 'SEARCH' },
  ],
  'Query.tweetsInArea': () => [
    {
      query: `{ it: tweetsInArea(area: { south: 52, west: 13, north: 53, east: 14 }, ${period}, first: 100) { nodes { tweetId } } }`,
      place: 'SEARCH',
    },
  ],
  'Query.tweet': () => eachTweet('tweetId', 'DIRECT'),
  'Query.node': () =>
    ['tweet', 'user', 'article', 'comment'].flatMap((kind) =>
      eachNode(kind, `{ it: node(id: "ID") { ${WHOLE} } }`),
    ),
  'Query.nodes': () =>
    ['tweet', 'user', 'article', 'comment'].flatMap((kind) =>
      eachNode(kind, `{ it: nodes(ids: ["ID"]) { ${WHOLE} } }`),
    ),
  'Query.user': () =>
    Object.keys(PEOPLE).map((name) => ({
      query: `{ it: user(username: "user${name}") { userId } }`,
      place: 'PROFILE',
    })),
  'Query.userByTwitterAccount': () =>
    Object.keys(PEOPLE).map((name) => ({
      query: `{ it: userByTwitterAccount(twitterAccount: "on${name}") { userId } }`,
      place: 'PROFILE',
    })),
  'Query.article': () => eachNode('article', '{ it: article(id: "ID") { id } }'),
  'Query.articlesOfDay': () => [
    { query: `{ it: articlesOfDay(day: "${day}", first: 100) { nodes { id body } } }`, place: 'LIST' },
  ],
  'Query.comments': () => [
    { query: `{ it: comments(${period}, first: 100) { nodes { id } } }`, place: 'LIST' },
  ],
  'RankingEntry.user': () => [
    { query: '{ it: topAccounts { entries { user { userId } } } }', place: 'LIST' },
    { query: '{ it: topFollowers { entries { user { userId } } } }', place: 'LIST' },
    {
      query: `{ it: rankings(kind: TOP_ACCOUNTS, ${period}, first: 1) { nodes { entries { user { userId } } } } }`,
      place: 'LIST',
    },
  ],
};
