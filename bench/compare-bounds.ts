import { isObjectType } from 'graphql';
import type { Database } from '../src/kit/cassandra/database';
import { boundsOf } from '../src/kit/cost/reads';
import { createSchema } from '../src/app';
import { askAll, type Asked } from './bounds/ask';
import { probes, probesOfPlaces, type Probe } from './bounds/probes';
import { answering, startChild } from './child';
import { median, percentile, round, say, type Line, type Section } from './measure';
import { withOwnHeaders } from './pages/callers';
import { drawSubjects } from './pages/subjects';
import { environment, serving, withDatabase, type Headers, type Stage } from './stage';

const PORT = 4841;
const URL = `http://127.0.0.1:${PORT}/graphql`;

/** What a field may read by its bound, and what it read of everybody. */
interface Measured {
  readonly what: string;
  readonly answers: readonly Asked[];
  readonly refused: number;
}

/**
 * Compares the bound of each field of a query with what the field reads of a sample of everybody, on a server that keeps nothing. Lists
 * are asked for their first 25 items and the next 25.
 */
export async function compareBounds(stage: Stage): Promise<Section[]> {
  const ofPeople = await measureBounds(stage, await stage.peopled(), probes);
  const ofPlaces =
    stage.given === undefined
      ? await measureBounds(stage, (await stage.discoverable()).keyspace, probesOfPlaces)
      : await measureBounds(stage, stage.given, probesOfPlaces);
  const measured = [...ofPeople, ...ofPlaces].filter(({ answers }) => answers.some(({ bound }) => bound > 0));
  return [
    {
      title: 'Bounds and what was read (median / 95th percentile / most), the farthest first',
      lines: measured.toSorted((a, b) => ratioOf(b) - ratioOf(a)).map(boundLine),
    },
    { title: 'Bound : 95th percentile, over all fields', lines: [summaryOf(measured)] },
    { title: 'Fields that were not measured', lines: unmeasured().map((field) => ({ field })) },
  ];
}

/** Asks a server that keeps nothing for some fields of a keyspace. */
export async function measureBounds(
  { contactPoint }: Stage,
  keyspace: string,
  asked: readonly Probe[],
): Promise<Measured[]> {
  const env = environment(contactPoint, keyspace);
  return withDatabase(contactPoint, keyspace, async (database) => {
    const server = startChild(
      'src/main.js',
      [],
      { ...env, PORT: String(PORT), EXPLAIN: 'everybody' },
      serving,
    );
    try {
      await answering(`http://127.0.0.1:${PORT}/health/ready`);
      return await measureAll(database, asked);
    } finally {
      await server.stop();
    }
  });
}

/** People ask for their own lists. For those of a tweet and the like, they take turns. */
async function measureAll(database: Database, asked: readonly Probe[]): Promise<Measured[]> {
  const { of } = await drawSubjects(database);
  return withOwnHeaders(database, of.person, async (own) => {
    const everybody: readonly Headers[] = [...own.values()];
    const measured: Measured[] = [];
    for (const probe of asked) {
      const what = [probe.field, probe.order].filter(Boolean).join(', ');
      say(`Asking for ${what}`);
      const answers = await askAll(URL, probe, of[probe.of], ({ id }, n) => {
        return own.get(id) ?? everybody[n % everybody.length] ?? {};
      });
      measured.push({ what, answers: answers.first, refused: answers.refused });
      if (answers.next.length > 0)
        measured.push({ what: `${what}, second page`, answers: answers.next, refused: 0 });
    }
    return measured;
  });
}

/** The greatest bound of a field, divided by what 95 of 100 answers do not exceed; a field that reads nothing counts as one read. */
function ratioOf({ answers }: Measured, unit: 'partitions' | 'rows' = 'partitions'): number {
  const bounds = answers.map((one) => (unit === 'rows' ? one.boundOfRows : one.bound));
  const read = answers.map((one) => one[unit]);
  return Math.max(...bounds) / Math.max(1, percentile(read, 0.95));
}

/** The line of a table about a field. */
export function boundLine(measured: Measured): Line {
  const { what, answers, refused } = measured;
  const reserving = answers.filter(({ reserved }) => reserved > 0).length;
  const three = (unit: 'partitions' | 'rows' | 'statements') => {
    const read = answers.map((one) => one[unit]);
    return [median(read), percentile(read, 0.95), Math.max(...read)]
      .map((value) => round(value, 1))
      .join(' / ');
  };
  return {
    field: what,
    answers: answers.length,
    bound: Math.max(...answers.map(({ bound }) => bound)),
    partitions: three('partitions'),
    ratio: round(ratioOf(measured), 1),
    'bound of rows': Math.max(...answers.map(({ boundOfRows }) => boundOfRows)),
    rows: three('rows'),
    'ratio of rows': round(ratioOf(measured, 'rows'), 1),
    statements: three('statements'),
    ...(reserving > 0 && { reserving }),
    ...(refused > 0 && { refused }),
  };
}

function summaryOf(measured: readonly Measured[]): Line {
  const [partitions, rows] = (['partitions', 'rows'] as const).map((unit) =>
    measured.map((one) => ratioOf(one, unit)),
  );
  return {
    lines: measured.length,
    'median of partitions': round(median(partitions ?? []), 1),
    'worst of partitions': round(Math.max(...(partitions ?? [])), 1),
    'median of rows': round(median(rows ?? []), 1),
    'worst of rows': round(Math.max(...(rows ?? [])), 1),
  };
}

/** The fields with a bound that no probe asks for: those of mutations and subscriptions. */
export function unmeasured(): string[] {
  const asked = new Set([...probes, ...probesOfPlaces].map(({ field }) => field));
  return Object.values(createSchema().getTypeMap())
    .filter(isObjectType)
    .flatMap((type) =>
      Object.values(type.getFields())
        .filter((field) => boundsOf(field).length > 0)
        .map(({ name }) => `${type.name}.${name}`),
    )
    .filter((field) => !asked.has(field));
}
