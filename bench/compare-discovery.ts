import { drawQuestion, drawRaw, explainSome, oneOfEachKind, rawKind, type Draw } from './discovery/load';
import { discovering, partitionOf, unspaced, type Question } from './discovery/questions';
import { withServers, type Explained, type Servers } from './discovery/servers';
import { drive, type Driven } from './drive';
import { median, percentile, round, say, type Line, type Section } from './measure';
import { randomFrom } from '../src/kit/base/random';
import type { Database } from '../src/kit/cassandra/database';
import { withDatabase, type Stage } from './stage';

const ROUNDS = 3;
const TURNS = 100;
/** The connections and the seconds of the load that measures answers per second, for each question. */
const BUSY = 8;
const BUSY_SECONDS = 2;
const EXPLAINED = 15;

interface Taken {
  readonly alone: readonly Driven[];
  readonly busy: ReadonlyMap<string, readonly Driven[]>;
  readonly explained: ReadonlyMap<string, Explained>;
}

/** Compares each discovery field with a read of one partition of as many rows, by the driver alone and by our server. */
export async function compareDiscovery(stage: Stage): Promise<Section> {
  const filled = await stage.discoverable();
  const questions = [partitionOf(25), partitionOf(100), ...discovering];
  const taken = await withServers(stage, filled, (servers) =>
    measure(servers, questions, filled.end, stage.brief),
  );
  const lines = questions.map((question) => lineOf(question, taken));
  return { title: `Discovery in ${filled.tweets} tweets, one connection and ${BUSY}`, lines };
}

/** The same of texts in a script without spaces, with what the index stores of a tweet. */
export async function compareUnspaced(stage: Stage): Promise<Section> {
  const filled = await stage.unspaced();
  const [stored, rows] = await withDatabase(stage.contactPoint, filled.keyspace, storedTerms);
  say(
    `Postings of ${filled.tweets} tweets without spaces: ${round(rows / filled.tweets, 2)} rows and ${Math.round(stored / filled.tweets)} bytes a tweet`,
  );
  const questions = [partitionOf(25), ...unspaced];
  const taken = await withServers(stage, filled, (servers) =>
    measure(servers, questions, filled.end, stage.brief),
  );
  const lines = questions.map((question) => lineOf(question, taken));
  return { title: `Words of scripts without spaces in ${filled.tweets} tweets`, lines };
}

/** The bytes and rows of all postings. A row also has the place of its segment. */
async function storedTerms(database: Database): Promise<[bytes: number, rows: number]> {
  let [bytes, rows] = [0, 0];
  for await (const row of database.stream('SELECT term, ordinals FROM postings', [])) {
    const { term, ordinals } = row as { term: string; ordinals: Buffer };
    bytes += Buffer.byteLength(term) + ordinals.length;
    rows++;
  }
  return [bytes, rows];
}

async function measure(
  servers: Servers,
  questions: readonly Question[],
  end: Date,
  brief: boolean,
): Promise<Taken> {
  const random = randomFrom(21);
  const draws: Draw[] = [
    ...[25, 100].map((rows) => drawRaw(servers, rows, random)),
    ...questions.map((question) => drawQuestion(servers, question, random, end)),
  ];
  const explained = new Map<string, Explained>();
  for (const question of questions)
    explained.set(question.name, await explainSome(servers, question, random, end, brief ? 3 : EXPLAINED));
  const alone: Driven[] = [];
  const busy = new Map<string, Driven[]>();
  const rounds = brief ? 1 : ROUNDS;
  for (let roundNumber = 0; roundNumber <= rounds; roundNumber++) {
    say(roundNumber === 0 ? 'Warming up' : `Discovery, round ${roundNumber} of ${rounds}`);
    const driven = await oneOfEachKind(draws, brief ? 10 : TURNS);
    if (roundNumber > 0) alone.push(driven);
    for (const draw of draws) {
      const load = await drive(0, brief ? 0.3 : BUSY_SECONDS, draw, BUSY);
      for (const kind of load.times.keys())
        if (roundNumber > 0) busy.set(kind, [...(busy.get(kind) ?? []), load]);
    }
  }
  return { alone, busy, explained };
}

function lineOf({ name, rows }: Question, { alone, busy, explained }: Taken): Line {
  const timesOf = (kind: string) => alone.flatMap(({ times }) => times.get(kind) ?? []);
  const ratesOf = (kind: string) =>
    (busy.get(kind) ?? []).map(({ times, seconds }) => (times.get(kind) ?? []).length / seconds);
  const busyTimes = (busy.get(name) ?? []).flatMap(({ times }) => times.get(name) ?? []);
  const p50 = median(timesOf(name));
  const own = partitionOf(rows).name;
  return {
    what: name,
    rows: explained.get(name)?.rows ?? NaN,
    requests: explained.get(name)?.reads ?? NaN,
    'p50 ms': round(p50),
    'p95 ms': round(percentile(timesOf(name), 0.95)),
    [`p50 : raw`]: round(p50 / median(timesOf(rawKind(rows)))),
    'p50 : one partition': round(p50 / median(timesOf(own))),
    'beside rows': rows,
    [`/s by ${BUSY}`]: Math.round(median(ratesOf(name))),
    [`p50 ms by ${BUSY}`]: round(percentile(busyTimes, 0.5)),
    [`raw /s by ${BUSY}`]: Math.round(median(ratesOf(rawKind(rows)))),
  };
}
