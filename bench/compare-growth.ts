import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../src/kit/cassandra/database';
import { drawQuestion, drawRaw, explainSome, oneOfEachKind, rawKind, type Draw } from './discovery/load';
import { growing, partitionOf } from './discovery/questions';
import { openServers, type Explained, type OpenServers, type Servers } from './discovery/servers';
import { median, round, say, type Line, type Section } from './measure';
import { randomFrom } from '../src/kit/base/random';
import { environment, SEED, withDatabase, type Discoverable, type Stage } from './stage';
import { fillTweets } from './tweets/fill';

const FIRST = 10_000;
const LAST = 1_000_000;
const ROUNDS = 5;
const TURNS = 40;
const EXPLAINED = 25;
/** The first of the ports that the servers take, three for each keyspace. */
const FIRST_PORT = 4831;

const questions = [...growing, partitionOf(25), partitionOf(100)];

/** A filled keyspace, its servers, and how many rows and requests an answer to each question takes. */
interface MeasuredKeyspace extends Discoverable {
  readonly servers: Servers;
  readonly explained: ReadonlyMap<string, Explained>;
}

/**
 * Asks the same questions of databases with ten times as many tweets each, by turns, so that what else the machine does
 * affects all of them. Their tweets are spread over the same three years.
 */
export async function compareGrowth(stage: Stage): Promise<Section> {
  const filled: Discoverable[] = [];
  for (const tweets of sizesUpTo(stage.tweets ?? (stage.brief ? 2000 : LAST)))
    filled.push(await fill(stage, tweets, filled[0]?.end ?? new Date()));
  const largest = filled.at(-1);
  if (largest) stage.useForDiscovery(largest);
  const opened: OpenServers[] = [];
  try {
    const keyspaces: MeasuredKeyspace[] = [];
    for (const [index, one] of filled.entries()) {
      const { servers, close } = await openServers(stage, one.keyspace, FIRST_PORT + 3 * index);
      opened.push({ servers, close });
      keyspaces.push({ ...one, servers, explained: await explainAll(servers, one.end, stage.brief) });
    }
    const lines = await measure(keyspaces, stage.brief);
    return { title: 'Growth: p50 in ms by number of tweets, by turns, one connection', lines };
  } finally {
    await Promise.all(opened.map(({ close }) => close()));
  }
}

async function fill({ contactPoint }: Stage, tweets: number, end: Date): Promise<Discoverable> {
  const keyspace = `growing_${tweets}`;
  // Timelines are not measured here, so nothing is pushed, which saves time.
  const env = { ...environment(contactPoint, keyspace), FANOUT_PUSH_LIMIT: '0' };
  await withDatabase(contactPoint, keyspace, async (database) => {
    await fillTweets(database, env, { tweets, end, random: randomFrom(SEED) });
    await untilCompacted(database);
  });
  return { keyspace, tweets, end };
}

/** How many tweets the databases have: ten times as many as the one before, the largest last. */
function sizesUpTo(largest: number): number[] {
  const sizes: number[] = [];
  for (let size = largest < FIRST * 10 ? Math.ceil(largest / 10) : FIRST; size < largest; size *= 10)
    sizes.push(size);
  return [...sizes, largest];
}

const MAX_WAIT_MS = 600_000;

/** Waits until the tables are compacted, at most ten minutes. Otherwise results would depend on how fast they were filled. */
async function untilCompacted(database: Database): Promise<void> {
  say('Waiting until the tables are compacted');
  const started = performance.now();
  for (let quiet = 0; quiet < 3 && performance.now() - started < MAX_WAIT_MS;) {
    const tasks = await database.run('SELECT kind FROM system_views.sstable_tasks');
    quiet = tasks.length === 0 ? quiet + 1 : 0;
    await sleep(1000);
  }
}

async function explainAll(
  servers: Servers,
  end: Date,
  brief: boolean,
): Promise<ReadonlyMap<string, Explained>> {
  const random = randomFrom(SEED);
  const explained = new Map<string, Explained>();
  for (const question of questions)
    explained.set(question.name, await explainSome(servers, question, random, end, brief ? 3 : EXPLAINED));
  return explained;
}

async function measure(keyspaces: readonly MeasuredKeyspace[], brief: boolean): Promise<Line[]> {
  const kinds = [...questions.map(({ name }) => name), rawKind(25), rawKind(100)];
  const drawsOfEach = keyspaces.map(drawsOf);
  // A question is asked of all keyspaces, then the next one is.
  const draws = kinds.flatMap((kind) => drawsOfEach.flatMap((byKind) => byKind.get(kind) ?? []));
  const medians = new Map<string, number[]>();
  const rounds = brief ? 1 : ROUNDS;
  for (let roundNumber = 0; roundNumber <= rounds; roundNumber++) {
    say(roundNumber === 0 ? 'Warming up' : `Growth, round ${roundNumber} of ${rounds}`);
    const { times } = await oneOfEachKind(draws, brief ? 5 : TURNS);
    if (roundNumber === 0) continue;
    for (const [kind, ofKind] of times) medians.set(kind, [...(medians.get(kind) ?? []), median(ofKind)]);
  }
  const p50 = new Map([...medians].map(([kind, ofKind]) => [kind, median(ofKind)]));
  return kinds.map((kind) => lineOf(kind, keyspaces, p50));
}

/** The draws for one keyspace, by kind. A fixed seed gives the same questions for each. */
function drawsOf({ servers, tweets, end }: MeasuredKeyspace): ReadonlyMap<string, Draw> {
  const random = randomFrom(22);
  const draws = new Map([
    ...questions.map((question) => [question.name, drawQuestion(servers, question, random, end)] as const),
    ...([25, 100] as const).map((rows) => [rawKind(rows), drawRaw(servers, rows, random)] as const),
  ]);
  return new Map([...draws].map(([kind, draw]) => [kind, () => ({ ...draw(), kind: kindAt(tweets, kind) })]));
}

function kindAt(tweets: number, kind: string): string {
  return `${kind} with ${tweets} tweets`;
}

function lineOf(
  kind: string,
  keyspaces: readonly MeasuredKeyspace[],
  p50: ReadonlyMap<string, number>,
): Line {
  const line: Record<string, string | number> = { what: kind };
  const times = keyspaces.map(({ tweets }) => p50.get(kindAt(tweets, kind)) ?? NaN);
  keyspaces.forEach(({ tweets, explained }, index) => {
    const size = tweets.toLocaleString('en');
    line[size] = round(times[index] ?? NaN);
    const { rows, reads } = explained.get(kind) ?? {};
    if (rows !== undefined && reads !== undefined) line[`rows/requests ${size}`] = `${rows}/${reads}`;
  });
  return { ...line, 'last : first': round((times.at(-1) ?? NaN) / (times[0] ?? NaN)) };
}
