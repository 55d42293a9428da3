import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../src/kit/cassandra/database';
import { drawQuestion, drawRaw, explainSome, inTurns, rawKind } from './discovery/load';
import { growing, partitionOf, type Question } from './discovery/questions';
import { withServers, type Explained, type Servers } from './discovery/servers';
import { median, round, say, type Line, type Section } from './measure';
import { randomFrom } from './network';
import { environment, SEED, withDatabase, type Stage } from './stage';
import { fillTweets } from './tweets/fill';

const FIRST = 10_000;
const LAST = 1_000_000;
const ROUNDS = 5;
const TURNS = 40;
const EXPLAINED = 25;
const KEYSPACE = 'growing';

/** The measurements at one size of the database. */
interface Grown {
  readonly tweets: number;
  /** The median of the rounds' medians in milliseconds, by kind. */
  readonly p50: ReadonlyMap<string, number>;
  readonly explained: ReadonlyMap<string, Explained>;
}

/** Asks the same questions of a database that grows tenfold at each step. All its tweets are spread over the same three years. */
export async function compareGrowth(stage: Stage): Promise<Section> {
  const end = new Date();
  const random = randomFrom(SEED);
  const grown: Grown[] = [];
  await withDatabase(stage.contactPoint, KEYSPACE, async (database) => {
    // Timelines are not measured here, so nothing is pushed, which saves time.
    const env = { ...environment(stage.contactPoint, KEYSPACE), FANOUT_PUSH_LIMIT: '0' };
    const sizes = sizesUpTo(stage.tweets ?? (stage.brief ? 2000 : LAST));
    let from = 0;
    for (const to of sizes) {
      await fillTweets(database, env, { from, to, end, random });
      await untilCompacted(database);
      const measured = await withServers(stage, { keyspace: KEYSPACE }, (servers) =>
        measure(servers, to, end, stage.brief),
      );
      grown.push(measured);
      from = to;
    }
    stage.useGrown({ keyspace: KEYSPACE, tweets: from, sizes, end });
  });
  const kinds = [...growing, partitionOf(25), partitionOf(100)].map(({ name }) => name);
  const lines = [...kinds, rawKind(25), rawKind(100)].map((kind) => lineOf(kind, grown));
  return { title: 'Growth: p50 in ms by number of tweets, one connection', lines };
}

/** The sizes at which questions are asked: ten times the one before, the largest last. */
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

async function measure(servers: Servers, tweets: number, end: Date, brief: boolean): Promise<Grown> {
  // A fixed seed gives the same questions at each size.
  const random = randomFrom(22);
  const questions: readonly Question[] = [...growing, partitionOf(25), partitionOf(100)];
  const explained = new Map<string, Explained>();
  for (const question of questions)
    explained.set(question.name, await explainSome(servers, question, random, end, brief ? 3 : EXPLAINED));
  const draws = [
    ...questions.map((question) => drawQuestion(servers, question, random, end)),
    ...[25, 100].map((rows) => drawRaw(servers, rows, random)),
  ];
  const medians = new Map<string, number[]>();
  const rounds = brief ? 1 : ROUNDS;
  for (let turn = 0; turn <= rounds; turn++) {
    say(turn === 0 ? `Warming up with ${tweets} tweets` : `${tweets} tweets, round ${turn} of ${rounds}`);
    const { times } = await inTurns(draws, brief ? 5 : TURNS);
    if (turn === 0) continue;
    for (const [kind, ofKind] of times) medians.set(kind, [...(medians.get(kind) ?? []), median(ofKind)]);
  }
  return { tweets, p50: new Map([...medians].map(([kind, ofKind]) => [kind, median(ofKind)])), explained };
}

function lineOf(kind: string, grown: readonly Grown[]): Line {
  const line: Record<string, string | number> = { what: kind };
  for (const { tweets, p50, explained } of grown) {
    const size = tweets.toLocaleString('en');
    line[size] = round(p50.get(kind) ?? NaN);
    const { rows, reads } = explained.get(kind) ?? {};
    if (rows !== undefined && reads !== undefined) line[`rows/requests ${size}`] = `${rows}/${reads}`;
  }
  const [first, last] = [grown[0]?.p50, grown.at(-1)?.p50];
  const ratio = (last?.get(kind) ?? NaN) / (first?.get(kind) ?? NaN);
  const noise = (last?.get(rawKind(25)) ?? NaN) / (first?.get(rawKind(25)) ?? NaN);
  return { ...line, 'last : first': round(ratio), 'beside raw': round(ratio / noise) };
}
