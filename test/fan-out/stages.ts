import { person, startHarness, type Harness } from '../harness';
import { ask } from '../mutations';
import { everyone, PEOPLE } from './model';

/** Each server's limit of followers up to which tweets are pushed. */
export const LIMITS = [0, 3, 10_000];

/** Servers over one keyspace, each with people of its own; where tweets are pushed, who follows two has more in parts. */
export let servers: Harness[];
beforeAll(async () => {
  const first = await startHarness({ FANOUT_PUSH_LIMIT: String(LIMITS[0]) });
  const others = LIMITS.slice(1).map((limit) =>
    startHarness({ FANOUT_PUSH_LIMIT: String(limit) }, first, {
      lists: { fullRows: 3, rowsPerCheck: 1, effectiveMs: 0 },
    }),
  );
  servers = [first, ...(await Promise.all(others))];
});
afterAll(async () => {
  for (const server of [...servers].reverse()) await server.close();
});

/** A server with the people of one story. */
export interface Stage {
  readonly server: Harness;
  /** Its limit of followers up to which tweets are pushed. */
  readonly limit: number | undefined;
  readonly userId: (n: number) => string;
  readonly username: (n: number) => string;
  /** The ids of what was posted, by content; a share's content is its original's. */
  readonly ids: Map<string, string>;
}

let stories = 0;

/** Gives every server people of a new story. */
export async function setStages(): Promise<Stage[]> {
  stories++;
  return Promise.all(
    servers.map(async (server, place) => {
      const userId = (n: number) => String(1_000_000 * (place + 1) + stories * PEOPLE + n);
      const username = (n: number) => `user${userId(n)}`;
      await server.store(everyone.map((n) => person(userId(n), username(n))));
      return { server, limit: LIMITS[place], userId, username, ids: new Map<string, string>() };
    }),
  );
}

/** A list of somebody's, walked in small pages. */
export async function walk(
  { server, username }: Stage,
  list: 'timeline' | 'tweets',
  owner: number,
  backwards: boolean,
  size: number,
): Promise<string[]> {
  const joined: string[] = [];
  for (let cursor = ''; ;) {
    const page = `${backwards ? 'last' : 'first'}: ${size}${cursor}`;
    const data = await ask(
      server,
      `{ user(username: "${username(owner)}") { list: ${list}(${page}) { nodes { content author { username } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`,
    );
    const { nodes, pageInfo } = (data as { user: { list: Page } }).user.list;
    const texts = nodes.map(
      ({ content, author }) => `${everyone.findIndex((n) => username(n) === author.username)} ${content}`,
    );
    if (backwards) joined.unshift(...texts);
    else joined.push(...texts);
    if (!(backwards ? pageInfo.hasPreviousPage : pageInfo.hasNextPage)) return joined;
    cursor = backwards ? `, before: "${pageInfo.startCursor}"` : `, after: "${pageInfo.endCursor}"`;
  }
}

/** A page of tweets. */
export interface Page {
  readonly nodes: readonly { content: string; author: { username: string } }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string;
    readonly endCursor: string;
  };
}

/** Resolves when no server has anything left to do. */
export async function idle(): Promise<void> {
  await Promise.all(servers.map(({ writeServices }) => writeServices.outbox.idle()));
}
