import { encodeNodeId } from '../src/kit/graphql/global-id';
import { newsQueries } from './news/queries';

/** A query that is compared, as GraphQL and on the raw server. */
export interface Query {
  /** The name, which is also the path on the raw server. */
  readonly name: string;
  readonly what: string;
  readonly source: string;
  /** Whose ids or which ids it asks for. */
  readonly of: 'readers' | 'authors' | 'writers' | 'articles';
  /** Who asks: a service, which may read every timeline, or the reader whose timeline it is. */
  readonly by: 'service' | 'reader';
  /** Whether the raw server answers the same. */
  readonly hasRaw: boolean;
  /** How many rows the answer has. */
  readonly rows: number;
  /** The variables that ask for the user or article with an id. */
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

/** The home timeline with the fields that depend on its reader. */
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
