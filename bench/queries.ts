import { encodeNodeId } from '../src/kit/relay/node';

/** What is asked, of whom, as GraphQL and as the path that the raw server knows. */
export interface Query {
  readonly name: 'H' | 'N' | 'A';
  readonly what: string;
  readonly source: string;
  readonly of: 'readers' | 'authors';
}

const author = 'author { userId username name }';
const ask = (list: string, counts: string) =>
  `query ($id: ID!) { node(id: $id) { ... on User { ${list}(first: 25) { nodes { id content createdAt ${counts} ${author} } } } } }`;

/** The queries of the comparison. */
export const queries: readonly Query[] = [
  {
    name: 'H',
    what: 'home timeline, 25, with like counts',
    source: ask('timeline', 'likeCount'),
    of: 'readers',
  },
  { name: 'N', what: 'home timeline, 25, without counts', source: ask('timeline', ''), of: 'readers' },
  { name: 'A', what: 'tweets of an author, 25', source: ask('tweets', ''), of: 'authors' },
];

/** The body of a GraphQL request. */
export function bodyOf({ source }: Query, userId: string): string {
  return JSON.stringify({ query: source, variables: { id: encodeNodeId('User', userId) } });
}
