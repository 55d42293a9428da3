import { encodeNodeId } from '../src/kit/relay/node';

/** What is asked, of whom, as GraphQL and as the path that the raw server knows. */
export interface Query {
  readonly name: 'H' | 'N' | 'A' | 'R' | 'V';
  readonly what: string;
  readonly source: string;
  readonly of: 'readers' | 'authors';
  /** Who asks: a service, which may read every timeline, or the reader whose timeline it is. */
  readonly by: 'service' | 'reader';
  /** Whether the raw server answers the same. */
  readonly hasRaw: boolean;
}

const author = (fields = '') => `author { userId username name ${fields} }`;
const ask = (list: string, fields: string) =>
  `query ($id: ID!) { node(id: $id) { ... on User { ${list}(first: 25) { nodes { id content createdAt ${fields} } } } } }`;

const home = ask('timeline', `likeCount ${author()}`);
/** The home timeline as its reader sees it. */
const viewed = ask(
  'timeline',
  `likeCount viewerHasLiked viewerHasShared ${author('viewerIsFollowing isFollowingViewer')}`,
);

const common = { of: 'readers', by: 'service', hasRaw: true } as const;

/** The queries of the comparison. */
export const queries: readonly Query[] = [
  { ...common, name: 'H', what: 'home timeline, 25, with like counts', source: home },
  { ...common, name: 'N', what: 'home timeline, 25, without counts', source: ask('timeline', author()) },
  { ...common, name: 'A', what: 'tweets of an author, 25', source: ask('tweets', author()), of: 'authors' },
  { ...common, name: 'R', what: 'H by the reader’s own token', source: home, by: 'reader', hasRaw: false },
  { ...common, name: 'V', what: 'R with the viewer fields', source: viewed, by: 'reader', hasRaw: false },
];

/** The body of a GraphQL request. */
export function bodyOf({ source }: Pick<Query, 'source'>, userId: string): string {
  return JSON.stringify({ query: source, variables: { id: encodeNodeId('User', userId) } });
}
