import { encodeNodeId } from '../src/kit/relay/node';
import { newsQueries } from './news/queries';

/** What is asked, of whom, as GraphQL and as the path that the raw server knows. */
export interface Query {
  readonly name: string;
  readonly what: string;
  readonly source: string;
  readonly of: 'readers' | 'authors' | 'writers' | 'articles';
  /** Who asks: a service, which may read every timeline, or the reader whose timeline it is. */
  readonly by: 'service' | 'reader';
  /** Whether the raw server answers the same. */
  readonly hasRaw: boolean;
  /** How many rows the answer has. */
  readonly rows: number;
  /** What is asked of somebody or something, given by its own id. */
  variables(this: void, id: string): Readonly<Record<string, unknown>>;
}

const author = (fields = '') => `author { userId username name ${fields} }`;
const ask = (list: string, fields: string) =>
  `query ($id: ID!) { node(id: $id) { ... on User { ${list}(first: 25) { nodes { id content createdAt ${fields} } } } } }`;

const home = ask('timeline', `likeCount ${author()}`);
const viewed = ask(
  'timeline',
  `likeCount viewerHasLiked viewerHasShared ${author('viewerIsFollowing isFollowingViewer')}`,
);

const common = {
  of: 'readers',
  by: 'service',
  hasRaw: true,
  rows: 25,
  variables: (userId: string) => ({ id: encodeNodeId('User', userId) }),
} as const;

/** The home timeline as its reader sees it. */
export const viewedTimeline: Query = {
  ...common,
  name: 'V',
  what: 'R with the viewer fields',
  source: viewed,
  by: 'reader',
  hasRaw: false,
};

/** The queries of the comparison. */
export const queries: readonly Query[] = [
  { ...common, name: 'H', what: 'home timeline, 25, with like counts', source: home },
  { ...common, name: 'N', what: 'home timeline, 25, without counts', source: ask('timeline', author()) },
  { ...common, name: 'A', what: 'tweets of an author, 25', source: ask('tweets', author()), of: 'authors' },
  { ...common, name: 'R', what: 'H by the reader’s own token', source: home, by: 'reader', hasRaw: false },
  viewedTimeline,
  ...newsQueries,
];

/** The body of a GraphQL request. */
export function bodyOf({ source, variables }: Pick<Query, 'source' | 'variables'>, id: string): string {
  return JSON.stringify({ query: source, variables: variables(id) });
}
