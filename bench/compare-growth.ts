import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../src/kit/cassandra/database';
import { drawQuestion, drawRaw, explainSome, inTurns, rawKind, type Draw } from './discovery/load';
import { growing, partitionOf } from './discovery/questions';
import { withServers, type Explained, type Servers } from './discovery/servers';
import { median, round, say, type Line, type Section } from './measure';
import { randomFrom } from './network';
import { environment, SEED, withDatabase, type Discoverable, type Stage } from './stage';
import { fillTweets } from './tweets/fill';

const FIRST = 10_000;
const LAST = 1_000_000;
const ROUNDS = 5;
const TURNS = 40;
const EXPLAINED = 25;
/** The first of the ports that the servers take, three for each size. */
const FIRST_PORT = 4831;

const questions = [...growing, partitionOf(25), partitionOf(100)];

/** A keyspace with its servers, and what the answers there were made of, by question. */
interface Size extends Discoverable {
  readonly servers: Servers;
  readonly explained: ReadonlyMap<string, Explained>;
}

/**
 * Asks the same questions of databases with ten times as many tweets each, by turns, so that what else the machine does
 * affects all of them. Their tweets are spread over the same three years.
 */
export async function compareGrowth(stage: Stage): Promise<Section> {
  const end = new Date();
  const filled: Discoverable[] = [];
  for (const tweets of sizesUpTo(stage.tweets ?? (stage.brief ? 2000 : LAST))) {
    const keyspace = `growing_${tweets}`;
    // Timelines are not measured here, so nothing is pushed, which saves time.
    const env = { ...environment(stage.contactPoint, keyspace), FANOUT_PUSH_LIMIT: '0' };
    await withDatabase(stage.contactPoint, keyspace, async (database) => {
      await fillTweets(database, env, { tweets, end, random: randomFrom(SEED) });
      await untilCompacted(database);
    });
    filled.push({ keyspace, tweets, end });
  }
  const lines = await withSizes(stage, filled, (sizes) => measure(sizes, stage.brief));
  const largest = filled.at(-1);
  if (largest) stage.discover(largest);
  return { title: 'Growth: p50 in ms by number of tweets, by turns, one connection', lines };
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

/** Runs `use` with servers on each of the keyspaces. */
async function withSizes<T>(
  stage: Stage,
  [next, ...others]: readonly Discoverable[],
  use: (sizes: readonly Size[]) => Promise<T>,
  sizes: readonly Size[] = [],
): Promise<T> {
  if (next === undefined) return use(sizes);
  const { keyspace } = next;
  return withServers(stage, { keyspace, firstPort: FIRST_PORT + 3 * sizes.length }, async (servers) => {
    const random = randomFrom(SEED);
    const explained = new Map<string, Explained>();
    for (const question of questions)
      explained.set(
        question.name,
        await explainSome(servers, question, random, next.end, stage.brief ? 3 : EXPLAINED),
      );
    return withSizes(stage, others, use, [...sizes, { ...next, servers, explained }]);
  });
}

async function measure(sizes: readonly Size[], brief: boolean): Promise<Line[]> {
  const bySize = sizes.map(drawsOf);
  // A question is asked of all sizes, then the next one is.
  const draws = (bySize[0] ?? []).flatMap((_, index) => bySize.map((ofSize) => ofSize[index] ?? []).flat());
  const medians = new Map<string, number[]>();
  const rounds = brief ? 1 : ROUNDS;
  for (let turn = 0; turn <= rounds; turn++) {
    say(turn === 0 ? 'Warming up' : `Growth, round ${turn} of ${rounds}`);
    const { times } = await inTurns(draws, brief ? 5 : TURNS);
    if (turn === 0) continue;
    for (const [kind, ofKind] of times) medians.set(kind, [...(medians.get(kind) ?? []), median(ofKind)]);
  }
  const p50 = new Map([...medians].map(([kind, ofKind]) => [kind, median(ofKind)]));
  const kinds = [...questions.map(({ name }) => name), rawKind(25), rawKind(100)];
  return kinds.map((kind) => lineOf(kind, sizes, p50));
}

/** The draws of all kinds of questions for one size. A fixed seed gives the same questions for each. */
function drawsOf({ servers, tweets, end }: Size): Draw[] {
  const random = randomFrom(22);
  const draws = [
    ...questions.map((question) => drawQuestion(servers, question, random, end)),
    ...[25, 100].map((rows) => drawRaw(servers, rows, random)),
  ];
  return draws.map((draw) => () => {
    const ask = draw();
    return { ...ask, kind: kindAt(tweets, ask.kind) };
  });
}

function kindAt(tweets: number, kind: string): string {
  return `${kind} with ${tweets} tweets`;
}

function lineOf(kind: string, sizes: readonly Size[], p50: ReadonlyMap<string, number>): Line {
  const line: Record<string, string | number> = { what: kind };
  const times = sizes.map(({ tweets }) => p50.get(kindAt(tweets, kind)) ?? NaN);
  sizes.forEach(({ tweets, explained }, index) => {
    const size = tweets.toLocaleString('en');
    line[size] = round(times[index] ?? NaN);
    const { rows, reads } = explained.get(kind) ?? {};
    if (rows !== undefined && reads !== undefined) line[`rows/requests ${size}`] = `${rows}/${reads}`;
  });
  return { ...line, 'last : first': round((times.at(-1) ?? NaN) / (times[0] ?? NaN)) };
}
