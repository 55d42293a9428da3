import type { Harness } from './harness';

/** A page of somebody's timeline. */
export const HOME = `query ($username: String = "reader", $first: Int, $after: String, $last: Int, $before: String) {
  user(username: $username) {
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

/** The ids of the tweets of all pages of a timeline, joined; from a cursor on, where one is given. */
export async function pages(
  server: Harness,
  size: number,
  backwards: boolean,
  { from, username }: { from?: string; username?: string } = {},
): Promise<string[]> {
  const joined: string[] = [];
  for (let cursor = from; ;) {
    const page = backwards
      ? { username, last: size, before: cursor }
      : { username, first: size, after: cursor };
    const { data, errors } = await server.query(HOME, page);
    expect(errors).toEqual([]);
    const { nodes, pageInfo } = (data as Home).user.timeline;
    const ids = nodes.map(({ tweetId }) => tweetId);
    if (backwards) joined.unshift(...ids);
    else joined.push(...ids);
    if (!(backwards ? pageInfo.hasPreviousPage : pageInfo.hasNextPage)) return joined;
    cursor = backwards ? pageInfo.startCursor : pageInfo.endCursor;
  }
}
