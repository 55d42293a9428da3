import { z } from 'zod';
import type { Operation } from './api';
import type { Client } from './client';
import type { Order } from './model';
import { must } from './violation';

interface Page<E> {
  readonly edges: readonly E[];
  readonly pageInfo: z.infer<typeof pageInfo>;
}

/** How a list is walked: the size of its pages, and from which end. */
export interface Walk {
  readonly size: number;
  readonly backwards: boolean;
}

const pageInfo = z.object({
  hasNextPage: z.boolean(),
  hasPreviousPage: z.boolean(),
  startCursor: z.string().nullable(),
  endCursor: z.string().nullable(),
});
const personEdge = z.object({ at: z.string(), node: z.object({ username: z.string(), userId: z.string() }) });
const tweetEdge = z.object({
  node: z.object({
    id: z.string(),
    tweetId: z.string(),
    author: z.object({ username: z.string() }),
    sharedTweet: z.object({ id: z.string() }).nullable(),
  }),
});

/** An edge to a person, with the time of the follow or like. */
export type PersonEdge = z.infer<typeof personEdge>;
/** An edge to a tweet. */
export type TweetEdge = z.infer<typeof tweetEdge>;

/** Walks `followers`, `following`, `likers` or `sharers` of a node. */
export function walkPeople(
  client: Client,
  [type, field, time]:
    | ['User', 'followers' | 'following', 'followedAt']
    | ['Tweet', 'likers', 'likedAt']
    | ['Tweet', 'sharers', 'sharedAt'],
  id: string,
  walk: Walk,
): Promise<PersonEdge[]> {
  const edges = `edges { at: ${time} node { username userId } }`;
  return walkUnderFaults(client, operation(type, field, '', edges, personEdge), { id }, walk);
}

/** Walks a list of tweets of a node. */
export function walkTweets(
  client: Client,
  [type, field, order]:
    | ['User', 'tweets' | 'timeline', Order]
    | ['User', 'likes']
    | ['Tweet', 'quotes']
    | ['Tweet', 'replies', Order],
  id: string,
  walk: Walk,
): Promise<TweetEdge[]> {
  const argument = order === undefined ? '' : `, order: ${order}`;
  const edges = 'edges { node { id tweetId author { username } sharedTweet { id } } }';
  return walkUnderFaults(client, operation(type, field, argument, edges, tweetEdge), { id }, walk);
}

/** Walks the tweets of a UTC day. */
export function walkDay(client: Client, day: string, walk: Walk): Promise<TweetEdge[]> {
  const edges = 'edges { node { id tweetId author { username } sharedTweet { id } } }';
  const source = `query ($day: Date!, ${declared}) { list: tweetsOfDay(day: $day, ${given}) { ${edges} ${info} } }`;
  const data = z.object({ list: pageOf(tweetEdge) }).transform(({ list }) => list);
  return walkUnderFaults(client, { name: 'tweetsOfDay', source, data }, { day }, walk);
}

/** Walks the results of a search for words; forwards only. */
export function walkFound(
  client: Client,
  words: readonly string[],
  order: Order,
  walk: Walk,
): Promise<TweetEdge[]> {
  const list = `list: searchTweets(words: $words, order: ${order}, first: $first, after: $after) { ${tweetEdges} ${info} }`;
  const source = `query ($words: [String!]!, $first: Int, $after: String) { ${list} }`;
  return walkUnderFaults(client, { name: 'searchTweets', source, data: rootPage }, { words }, walk);
}

/** Walks the tweets of a hashtag; none if nobody has used it. */
export function walkHashtag(client: Client, name: string, order: Order, walk: Walk): Promise<TweetEdge[]> {
  const list = `list: tweets(order: ${order}, ${given}) { ${tweetEdges} ${info} }`;
  const source = `query ($name: String!, ${declared}) { hashtag(name: $name) { ${list} } }`;
  const none = {
    edges: [],
    pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
  };
  const data = z
    .object({ hashtag: z.object({ list: pageOf(tweetEdge) }).nullable() })
    .transform(({ hashtag }) => hashtag?.list ?? none);
  return walkUnderFaults(client, { name: 'Hashtag.tweets', source, data }, { name }, walk);
}

/** Walks the tweets of an area and a period; forwards only. */
export function walkArea(
  client: Client,
  area: Readonly<Record<string, number>>,
  period: { readonly from: string; readonly to: string },
  walk: Walk,
): Promise<TweetEdge[]> {
  const list = `list: tweetsInArea(area: $area, from: $from, to: $to, first: $first, after: $after) { ${tweetEdges} ${info} }`;
  const source = `query ($area: AreaInput!, $from: DateTime!, $to: DateTime!, $first: Int, $after: String) { ${list} }`;
  return walkUnderFaults(client, { name: 'tweetsInArea', source, data: rootPage }, { area, ...period }, walk);
}

const tweetEdges = 'edges { node { id tweetId author { username } sharedTweet { id } } }';
const declared = '$first: Int, $after: String, $last: Int, $before: String';
const given = 'first: $first, after: $after, last: $last, before: $before';
/** The `pageInfo` selection of each page. */
export const info = 'pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';

const rootPage = z.object({ list: pageOf(tweetEdge) }).transform(({ list }) => list);

/** The shape of a page of a list. */
export function pageOf<E>(edge: z.ZodType<E>) {
  return z.object({ edges: z.array(edge), pageInfo });
}

/** The operation that reads a page of a node's list. */
export function operation<E>(
  type: string,
  field: string,
  argument: string,
  edges: string,
  edge: z.ZodType<E>,
): Operation<Page<E>> {
  const list = `list: ${field}(${given}${argument}) { ${edges} ${info} }`;
  return {
    name: `${type}.${field}`,
    source: `query ($id: ID!, ${declared}) { node(id: $id) { ... on ${type} { ${list} } } }`,
    data: z.object({ node: z.object({ list: pageOf(edge) }) }).transform(({ node }) => node.list),
  };
}

/** Reads page after page, each from the cursor of the one before, and resolves to the list in its own order. */
export async function walkUnderFaults<E>(
  client: Client,
  list: Operation<Page<E>>,
  owner: Readonly<Record<string, unknown>>,
  { size, backwards }: Walk,
): Promise<E[]> {
  const pages: (readonly E[])[] = [];
  const cursors = new Set<string>();
  for (let cursor: string | undefined; ;) {
    const page = backwards ? { last: size, before: cursor } : { first: size, after: cursor };
    const { edges, pageInfo } = await client.ask(list, { ...owner, ...page });
    must(`A page of ${list.name} must have at most ${size} items`, edges.length <= size, edges);
    pages.push(edges);
    if (!(backwards ? pageInfo.hasPreviousPage : pageInfo.hasNextPage)) break;
    const next = backwards ? pageInfo.startCursor : pageInfo.endCursor;
    must(`${list.name} must have a new cursor for each next page`, next !== null && !cursors.has(next), {
      owner,
      pageInfo,
    });
    cursor = next ?? undefined;
    cursors.add(cursor ?? '');
  }
  return (backwards ? pages.reverse() : pages).flat();
}
