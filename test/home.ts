import type { Harness } from './harness';

/** A page of the timeline of the one whose name is reader. */
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

/** The ids of the tweets of all pages, joined; from a cursor on, where one is given. */
export async function pages(
  server: Harness,
  size: number,
  backwards: boolean,
  from?: string,
): Promise<string[]> {
  const joined: string[] = [];
  for (let cursor = from; ;) {
    const page = backwards ? { last: size, before: cursor } : { first: size, after: cursor };
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
