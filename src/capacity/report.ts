import type { AnyTable } from '../kit/cassandra/table';
import { figuresOf, LIMITS, type Figures, type Measure } from './figures';
import { flows, totalsOf } from './flows';
import type { Workload } from './workload';

/** Something that is beyond its limit, or comes to it with more of a workload. */
interface Break {
  readonly name: string;
  readonly what: string;
  readonly value: number;
  readonly limit: number;
  /** The number of posts a second, servers or people from which it is beyond its limit, for the first of these that leads there. */
  readonly from: { readonly growing: 'tweets' | 'servers' | 'people'; readonly count: number } | null;
}

/** The descriptions of the figures. */
const WHAT: Readonly<Record<Measure, string>> = {
  bytes: 'bytes of a partition',
  writes: 'rows a second written to a partition',
  transactions: 'lightweight transactions a second of a partition',
  tombstones: 'tombstones of a partition',
  readRows: 'rows a second of a partition read by all servers',
  serverRows: 'rows a second read by each server',
  leftOut: 'of a partition, the part that repeated reads leave out',
};

/** The figures of a write load, by the name of its table. */
interface Line extends Figures {
  readonly name: string;
}

/** Computes the figures of all tables, the greatest bytes of a day first. */
function linesOf(tables: readonly AnyTable[], workload: Workload): readonly Line[] {
  return loadsOf(tables)
    .map(({ name, figures }) => ({ name, ...figures(workload) }))
    .sort((one, other) => other.bytesPerDay - one.bytesPerDay);
}

/** Returns what breaks, the least posts a second first. Figures that never come to their limits are left out. */
export function breaksOf(tables: readonly AnyTable[], workload: Workload): readonly Break[] {
  const measured = [
    ...loadsOf(tables).flatMap(({ name, figures }) =>
      (Object.keys(LIMITS) as Measure[]).map((measure) => ({
        name,
        what: WHAT[measure],
        limit: () => LIMITS[measure],
        of: (at: Workload) => figures(at)[measure],
      })),
    ),
    ...flows.map((flow) => ({ ...flow, what: flow.unit })),
  ];
  return measured
    .flatMap(({ name, what, limit, of }): Break[] => {
      const from = findBreak((at) => of(at) > limit(at), workload);
      const [value, most] = [of(workload), limit(workload)];
      return from === null && value <= most ? [] : [{ name, what, value, limit: most, from }];
    })
    .sort((one, other) => pressure(other) - pressure(one));
}

/** Returns how far something is beyond its limit: the fewer posts, servers or people break it, the higher. */
function pressure({ value, limit, from }: Break): number {
  return value > limit ? 1e12 - (from?.count ?? 0) : value / Math.max(limit, 1e-9);
}

function loadsOf(tables: readonly AnyTable[]) {
  return tables.flatMap((table) =>
    table.writeLoads.map((load) => ({
      name: load.what === undefined ? table.name : `${table.name} (${load.what})`,
      figures: (workload: Workload) => figuresOf(table, load, workload),
    })),
  );
}

const MOST: Readonly<Record<'tweets' | 'servers' | 'people', number>> = {
  tweets: 1e7,
  servers: 1e5,
  people: 1e10,
};

/** Returns the count from which something breaks, while the rest of the workload stays. */
function findBreak(isBroken: (at: Workload) => boolean, workload: Workload): Break['from'] {
  for (const growing of ['tweets', 'servers', 'people'] as const) {
    const isBrokenAt = (count: number) => isBroken({ ...workload, [growing]: count });
    let [low, high] = [growing === 'tweets' ? 0.001 : 1, MOST[growing]];
    if (!isBrokenAt(high) || isBrokenAt(low)) continue;
    while (high / low > 1.001) {
      const middle = Math.sqrt(low * high);
      if (isBrokenAt(middle)) high = middle;
      else low = middle;
    }
    return { growing, count: high };
  }
  return null;
}

const NAMES = { tweets: 'posts/s', servers: 'servers', people: 'people' } as const;

/** Writes the report: what is beyond its limit, the sums, and all tables. */
export function describeCapacity(tables: readonly AnyTable[], workload: Workload): string {
  const { tweets, people, nodes, servers } = workload;
  const lines = linesOf(tables, workload);
  const broken = breaksOf(tables, workload).filter(({ value, limit }) => value > limit);
  const sum = (of: (line: Line) => number) => lines.reduce((all, line) => all + of(line), 0);
  const { signalBytes, memory } = totalsOf(workload);
  const rows = lines.map((line) => [
    line.name,
    short(line.rows),
    short(line.bytes),
    short(line.writes),
    short(line.transactions),
    short(line.rowsPerSecond),
    short(line.bytesPerDay),
  ]);
  return [
    `${short(tweets)} posts/s, ${short(people)} people, ${short(nodes)} nodes, ${short(servers)} servers`,
    '',
    broken.length === 0 ? 'Nothing is beyond its limit.' : 'Beyond its limit, what breaks first on top:',
    ...columns(
      broken.map(({ name, what, value, limit, from }) => [
        name,
        `${short(value)} ${what}`,
        `limit ${short(limit)}`,
        from ? `from ${short(from.count)} ${NAMES[from.growing]} on` : '',
      ]),
    ),
    '',
    `Rows written on each node  ${short((sum((line) => line.rowsPerSecond) * workload.replicas) / nodes)}/s`,
    `Disk of each node          ${short(sum((line) => line.bytesPerDay) / nodes)}B a day, before compression`,
    `Signals                    ${short(signalBytes)}B/s from all servers to NATS`,
    `Memory of each server      ${short(memory)}B at most`,
    '',
    'The greatest and the busiest partition of each table:',
    ...columns([['', 'rows', 'bytes', 'writes/s', 'LWT/s', 'rows/s in all', 'bytes a day in all'], ...rows]),
    '',
  ].join('\n');
}

/** A number of two or three digits with k, M, G or T. */
function short(value: number): string {
  return new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 2 })
    .format(value)
    .replace('K', 'k')
    .replace('B', 'G');
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, n) => Math.max(...rows.map((row) => row[n]?.length ?? 0)));
  return rows.map((row) => `  ${row.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join('  ')}`.trimEnd());
}
