import { availableParallelism } from 'node:os';
import type { Request } from 'autocannon';
import { readConfig } from '../src/config';
import { randomFrom } from '../src/kit/base/random';
import type { Database } from '../src/kit/cassandra/database';
import { signerFor } from '../src/token/tokens';
import { untilAllIsDone } from './compare-posts';
import type { Ask } from './drive';
import { say, type Section } from './measure';
import { words } from './network';
import { bodyOf, queries, type Query } from './queries';
import { loadReads, loadWrites, middleLoad, type Load, type Loaded } from './scale/load';
import { startServers } from './scale/servers';
import { sectionsOf } from './scale/tables';
import { compareSoak } from './soak/soak';
import { environment, headersOfUsers, headersWith, withDatabase, type Headers, type Stage } from './stage';

const ROUNDS = 3;
const SECONDS = 4;
const WARM_UP_SECONDS = 3;
const MAX_SERVERS = 6;
/** The names of the queries. */
const ASKED = ['A', 'N', 'H'];
const POSTS = { name: 'posts', what: 'createTweet to 10 to 40 followers' };
const POST = 'mutation ($input: CreateTweetInput!) { createTweet(input: $input) { tweet { id } } }';

/** Measures what more servers on the same Cassandra answer; or, with minutes to soak, what grows on two servers with time. */
export async function compareScale(stage: Stage): Promise<Section[]> {
  return stage.soak.minutes === undefined ? compareServers(stage) : compareSoak(stage, stage.soak.minutes);
}

/** Measures by turns, so that what else the machine does affects all numbers of servers. Servers keep nothing, as for `queries`. */
async function compareServers(stage: Stage): Promise<Section[]> {
  const { contactPoint, nodeFolders, brief } = stage;
  const { keyspace, ...subjects } = await stage.small();
  const env = environment(contactPoint, keyspace);
  const service = headersWith(await (await signerFor(readConfig(env), 'others')).forService());
  const reads = ASKED.map((name) => queryNamed(name)).map((query) => ({
    ...query,
    requests: subjects[query.of === 'authors' ? 'authors' : 'readers'].map((id) =>
      requestOf(query, id, service),
    ),
  }));
  const most = stage.servers ?? Math.min(MAX_SERVERS, Math.max(2, availableParallelism()));
  const taken = new Map(Array.from({ length: most }, (_, n) => [n + 1, [] as Kinds[]]));
  await withDatabase(contactPoint, keyspace, async (database) => {
    const post = postsBy([...(await headersOfUsers(database, subjects.authors)).values()]);
    const rounds = brief ? 1 : ROUNDS;
    for (let roundNumber = 1; roundNumber <= rounds; roundNumber++) {
      for (const [count, loads] of taken) {
        say(`${count} ${count === 1 ? 'server' : 'servers'}, round ${roundNumber} of ${rounds}`);
        const servers = await startServers(env, count);
        try {
          const what = { database, loaded: { servers, nodeFolders }, reads, post };
          const warmUp = await loadAll(what, brief ? 1 : WARM_UP_SECONDS);
          const measured = await loadAll(what, brief ? 1 : SECONDS);
          loads.push(
            new Map(Array.from(measured, ([name, load]) => [name, withErrors(load, warmUp.get(name))])),
          );
        } finally {
          await servers.stop();
        }
      }
    }
  });
  const scaled = [...taken].flatMap(([servers, rounds]) =>
    [...reads, POSTS].map(({ name, what }) => {
      const loads = rounds.flatMap((kinds) => kinds.get(name) ?? []);
      return { servers, name, what, load: middleLoad(loads) };
    }),
  );
  return sectionsOf(scaled, nodeFolders.length);
}

/** The loads of all kinds, by name. */
type Kinds = ReadonlyMap<string, Load>;

interface Whole {
  readonly database: Database;
  readonly loaded: Loaded;
  readonly reads: readonly { readonly name: string; readonly requests: readonly Request[] }[];
  readonly post: () => Omit<Ask, 'kind' | 'port'>;
}

/** Loads servers with one kind after another. Waits until all timelines have the posts, which would slow down what comes next. */
async function loadAll({ database, loaded, reads, post }: Whole, seconds: number): Promise<Kinds> {
  const loads = new Map<string, Load>();
  for (const { name, requests } of reads) loads.set(name, await loadReads(loaded, requests, seconds));
  loads.set(POSTS.name, await loadWrites(loaded, post, seconds));
  await untilAllIsDone(database, performance.now());
  return loads;
}

function withErrors(load: Load, other: Load | undefined): Load {
  return { ...load, errors: load.errors + (other?.errors ?? 0) };
}

function requestOf(query: Query, id: string, headers: Headers): Request {
  return { method: 'POST', path: '/graphql', headers, body: bodyOf(query, id) };
}

/** Creates what gives the next post, by one author after another. */
function postsBy(authors: readonly Headers[]): Whole['post'] {
  const random = randomFrom(17);
  let posted = 0;
  return () => {
    const headers = authors[posted % authors.length] ?? {};
    const input = { content: `${words(random)} #bench ${posted++}`, language: 'en' };
    return { path: '/graphql', headers, body: JSON.stringify({ query: POST, variables: { input } }) };
  };
}

function queryNamed(name: string): Query {
  const found = queries.find((query) => query.name === name);
  if (found === undefined) throw new Error(`There must be a query ${name}.`);
  return found;
}
