import { joinPages, PAGE_INFO, pageReader } from '../../src/tools/testing/testing';
import type { Harness } from './harness';

/** A page of the reader's timeline. */
export const HOME = `query ($first: Int, $after: String, $last: Int, $before: String) {
  user(username: "reader") {
    timeline(first: $first, after: $after, last: $last, before: $before) {
      nodes { id tweetId likeCount author { username } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }
}`;

/** What `HOME` answers. */
export interface Home {
  user: {
    timeline: {
      nodes: { tweetId: string; author: { username: string } }[];
      pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; startCursor: string; endCursor: string };
    };
  };
}

/** The ids of the tweets of all pages of a timeline, joined. */
export async function pages(
  server: Harness,
  size: number,
  direction: 'first' | 'last',
  username = 'reader',
): Promise<string[]> {
  const page = pageReader<{ readonly node: { readonly tweetId: string } }>(
    (source) => server.query(source),
    (args) =>
      `{ of: user(username: "${username}") { list: timeline(${args}) { edges { node { tweetId } } ${PAGE_INFO} } } }`,
  );
  return (await joinPages(page, direction, size)).map(({ node }) => node.tweetId);
}
