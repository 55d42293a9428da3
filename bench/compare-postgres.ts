import { answering, startChild } from './child';
import { bodyOf } from './discovery/questions';
import { oneByOne } from './discovery/load';
import { withServers, type Servers } from './discovery/servers';
import { drive, type Ask, type Driven } from './drive';
import { median, percentile, round, say, type Line, type Section } from './measure';
import { randomFrom } from '../src/kit/base/random';
import { agreementOn, type Sides } from './postgres/agreement';
import { NoPostgres, startPostgres, type Postgres } from './postgres/cluster';
import { installPostGraphile } from './postgres/install';
import { loadTweets } from './postgres/load';
import { ourVariables, rivalsOf, type Rival } from './postgres/rivals';
import { serving, shipped, type Discoverable, type Stage } from './stage';

const ROUNDS = 3;
const TURNS = 100;
const BUSY = 8;
const BUSY_SECONDS = 2;
/** How long each question warms up: a JVM that has just started takes five times as much CPU for a read. */
const WARM_SECONDS = 8;
const CHECKED = 20;
const PORT = 4831;
const JSON_TYPE = { 'content-type': 'application/json' };

/** The measurements of both sides. */
interface Taken {
  readonly alone: Driven[];
  /** By kind. */
  readonly busy: Map<string, Driven[]>;
  readonly agreement: Map<string, string>;
}

/** Asks our server and PostGraphile 5 the same questions about the same tweets. PostgreSQL is started for the benchmark. */
export async function comparePostgres(stage: Stage): Promise<Section> {
  try {
    const postgres = await startPostgres();
    try {
      installPostGraphile();
      return await compare(stage, postgres);
    } finally {
      await postgres.stop();
    }
  } catch (error) {
    if (!(error instanceof NoPostgres)) throw error;
    say(`Left out: ${error.message}`);
    return { title: `PostgreSQL: left out. ${error.message}`, lines: [] };
  }
}

async function compare(stage: Stage, postgres: Postgres): Promise<Section> {
  const filled = await stage.discoverable();
  say(`Loading the same ${filled.tweets.toLocaleString('en')} tweets into ${postgres.version}`);
  await loadTweets(postgres, filled);
  const env = { PORT: String(PORT), GRAPHILE_ENV: 'production' };
  const theirs = startChild('../bench/postgraphile/server.mjs', [postgres.url], env, serving);
  const rivals = rivalsOf(filled.tweets).filter(({ name }) => name.includes(stage.only));
  try {
    const request = { method: 'POST', headers: JSON_TYPE, body: bodyOf({ source: '{ __typename }' }, {}) };
    await answering(`http://127.0.0.1:${PORT}/graphql`, request);
    const ask = (servers: Servers) => {
      const ours = { port: servers.ours, headers: servers.headers };
      return measure(rivals, { ours, theirs: { port: PORT, headers: JSON_TYPE } }, filled, stage.brief);
    };
    const taken = await withServers(stage, filled, ask, shipped);
    const lines = rivals.map((rival) => lineOf(rival, taken));
    return { title: `${postgres.version} by PostGraphile 5, ${filled.tweets} tweets`, lines };
  } finally {
    await theirs.stop();
  }
}

async function measure(
  rivals: readonly Rival[],
  sides: Sides,
  { end }: Discoverable,
  brief: boolean,
): Promise<Taken> {
  const random = randomFrom(23);
  const draw = ({ ours }: Rival) => ours.variables(random, end);
  const taken: Taken = { alone: [], busy: new Map(), agreement: new Map() };
  for (const rival of rivals) {
    const drawn = Array.from({ length: brief ? 3 : CHECKED }, () => draw(rival));
    taken.agreement.set(rival.name, await agreementOn(rival, sides, drawn));
  }
  const rounds = brief ? 1 : ROUNDS;
  for (let roundNumber = 0; roundNumber <= rounds; roundNumber++) {
    say(roundNumber === 0 ? 'Warming up' : `Ours and PostGraphile, round ${roundNumber} of ${rounds}`);
    const asks: Ask[] = [];
    for (let n = 0; n < (brief ? 10 : TURNS); n++) {
      for (const rival of rivals) {
        const both = asksOf(rival, sides, draw(rival));
        asks.push(...(n % 2 === 0 ? both : both.reverse()));
      }
    }
    const alone = await oneByOne(asks);
    if (roundNumber > 0) taken.alone.push(alone);
    for (const rival of rivals) {
      for (const side of [0, 1] as const) {
        const next = () => asksOf(rival, sides, draw(rival))[side];
        const seconds = roundNumber === 0 ? WARM_SECONDS : BUSY_SECONDS;
        const load = await drive(0, brief ? 0.3 : seconds, next, BUSY);
        const kind = next().kind;
        if (roundNumber > 0) taken.busy.set(kind, [...(taken.busy.get(kind) ?? []), load]);
      }
    }
  }
  return taken;
}

function asksOf(
  rival: Rival,
  { ours, theirs }: Sides,
  values: Readonly<Record<string, unknown>>,
): [Ask, Ask] {
  const path = '/graphql';
  return [
    { kind: `${rival.name}: ours`, path, ...ours, body: bodyOf(rival.ours, ourVariables(values)) },
    { kind: `${rival.name}: theirs`, path, ...theirs, body: bodyOf(rival, rival.variables(values)) },
  ];
}

function lineOf({ name }: Rival, { alone, busy, agreement }: Taken): Line {
  const sides = ['ours', 'theirs'].map((side) => {
    const kind = `${name}: ${side}`;
    const times = alone.flatMap((load) => load.times.get(kind) ?? []);
    const rates = (busy.get(kind) ?? []).map((load) => (load.times.get(kind) ?? []).length / load.seconds);
    return { p50: median(times), p95: percentile(times, 0.95), rate: median(rates) };
  });
  const [ours, theirs] = sides;
  if (ours === undefined || theirs === undefined) throw new Error('There must be two sides.');
  return {
    what: name,
    'ours p50 ms': round(ours.p50),
    'theirs p50 ms': round(theirs.p50),
    'p50 ours : theirs': round(ours.p50 / theirs.p50),
    'ours p95 ms': round(ours.p95),
    'theirs p95 ms': round(theirs.p95),
    [`ours /s by ${BUSY}`]: Math.round(ours.rate),
    [`theirs /s by ${BUSY}`]: Math.round(theirs.rate),
    '/s ours : theirs': round(ours.rate / theirs.rate),
    'same answers': agreement.get(name) ?? '',
  };
}
