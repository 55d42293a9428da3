import { setTimeout as sleep } from 'node:timers/promises';
import { encodeNodeId } from '../src/kit/graphql/global-id';
import type { Database } from '../src/kit/cassandra/database';
import { nameRequest, startProxy, type Proxy, type Request } from '../test/support/proxy';
import { answering, startChild } from './child';
import { likeSource } from './compare-likes';
import { answerOfOurs, followersIn, nearest, untilAllIsDone } from './compare-posts';
import { say, type Line, type Section } from './measure';
import { headersOfUsers, serving, shipped, withDatabase, type Headers, type Stage } from './stage';

const PORT = 4813;
const FOLLOWERS = 307;
/** How often each act is done before it is counted: after that, statements are prepared, and what servers remember is remembered. */
const WARM_UPS = 5;
/** How long, in milliseconds, the statements of periodic work are collected, which are not counted. */
const IDLE_MS = 10_000;

/** The requests of an act. */
interface Sent {
  readonly before: readonly Request[];
  readonly after: readonly Request[];
}

/** Counts the requests to Cassandra of a post and of a like, by table, before the answer and after it. */
export async function compareRequests(stage: Stage): Promise<Section> {
  const { contactPoint } = stage;
  const { keyspace, tweetIds, readers } = await stage.filled();
  const authorId = nearest(followersIn(stage), FOLLOWERS);
  const liker = readers.find((reader) => reader !== authorId) ?? '';
  const proxy = await startProxy(contactPoint);
  const settings = { ...shipped(contactPoint, keyspace), CASSANDRA_CONTACT_POINTS: proxy.address };
  const server = startChild('src/main.js', [], { ...settings, PORT: String(PORT) }, serving);
  try {
    await answering(`http://127.0.0.1:${PORT}/health/ready`);
    return await withDatabase(contactPoint, keyspace, async (database) => {
      const headers = await headersOfUsers(database, [authorId, liker]);
      const tweets = tweetIds.values();
      const acts = {
        post: () => answerOfOurs({ ours: PORT }, headers.get(authorId) ?? {}),
        like: () => like(tweets.next().value ?? '', headers.get(liker) ?? {}),
      };
      say(
        `Counting the requests of a post to ${followersIn(stage).get(authorId)?.length ?? 0} followers and of a like`,
      );
      for (const act of Object.values(acts))
        for (let n = 0; n < WARM_UPS; n++) await requestsOf(database, proxy, act);
      const from = proxy.statements.length;
      await sleep(IDLE_MS);
      const periodic = new Set(proxy.statements.slice(from).map((request) => request.join()));
      const isOfAct = (request: Request) => !periodic.has(request.join());
      const lines: Line[] = [];
      for (const [name, act] of Object.entries(acts)) {
        const { before, after } = await requestsOf(database, proxy, act);
        lines.push(...linesOf(name, { before: before.filter(isOfAct), after: after.filter(isOfAct) }));
      }
      return { title: 'Requests to Cassandra of a post and a like, by table', lines };
    });
  } finally {
    await server.stop();
    await proxy.close();
  }
}

/** Does something, and waits until all that follows from it is done. */
async function requestsOf(
  database: Database,
  { statements }: Proxy,
  act: () => Promise<unknown>,
): Promise<Sent> {
  const from = statements.length;
  const started = performance.now();
  await act();
  const answered = statements.length;
  await untilAllIsDone(database, started);
  // The removal of a task may wait for that of others.
  await sleep(500);
  return { before: statements.slice(from, answered), after: statements.slice(answered) };
}

async function like(tweetId: string, headers: Headers): Promise<void> {
  const body = JSON.stringify({ query: likeSource, variables: { id: encodeNodeId('Tweet', tweetId) } });
  const response = await fetch(`http://127.0.0.1:${PORT}/graphql`, { method: 'POST', headers, body });
  const answer = (await response.json()) as { readonly errors?: unknown };
  if (answer.errors !== undefined) throw new Error(`A like must succeed, but got: ${JSON.stringify(answer)}`);
}

function linesOf(act: string, { before, after }: Sent): Line[] {
  const kinds = new Set([...before, ...after].map(nameRequest));
  const countIn = (requests: readonly Request[], kind?: string) =>
    requests.filter((request) => kind === undefined || nameRequest(request) === kind).length;
  const lineOf = (what: string, kind?: string) => ({
    act,
    request: what,
    'before the answer': countIn(before, kind),
    after: countIn(after, kind),
  });
  return [...Array.from(kinds, (kind) => lineOf(kind, kind)), lineOf('all')];
}
