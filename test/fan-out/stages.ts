import { joinPages, PAGE_INFO, pageReader } from '../../src/tools/testing/testing';
import { person, startHarness, type Harness } from '../support/harness';
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
  direction: 'first' | 'last',
  size: number,
): Promise<string[]> {
  const page = pageReader<{
    readonly node: { readonly content: string; readonly author: { readonly username: string } };
  }>(
    (source) => server.query(source),
    (args) =>
      `{ of: user(username: "${username(owner)}") { list: ${list}(${args}) { edges { node { content author { username } } } ${PAGE_INFO} } } }`,
  );
  return (await joinPages(page, direction, size)).map(
    ({ node: { content, author } }) =>
      `${everyone.findIndex((n) => username(n) === author.username)} ${content}`,
  );
}

/** Resolves when no server has anything left to do. */
export async function idle(): Promise<void> {
  await Promise.all(servers.map(({ writeServices }) => writeServices.outbox.idle()));
}
