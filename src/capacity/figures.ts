import { MAX_ROWS_READ_PER_SECOND, pauseOfReaders } from '../kit/base/pace';
import { isListTable, type AnyTable } from '../kit/cassandra/table';
import type { WriteLoad, Parts, RepeatedReads, Spread } from '../kit/cassandra/write-load';
import {
  actsPerSecond,
  ACTS_OF_PERSON_PER_DAY,
  rateOfPerson,
  rateOfSubject,
  reachOf,
  type Workload,
} from './workload';

/** The limits of the figures of a table's busiest or greatest partition. */
export const LIMITS = {
  /** Bytes of a partition; Cassandra warns above this. */
  bytes: 100e6,
  /** Rows that are written to a partition in a second. */
  writes: 1000,
  /** Lightweight transactions of a partition in a second. */
  transactions: 100,
  /** Tombstones of a partition: reads fail above this. */
  tombstones: 100_000,
  /** Rows of a partition that all servers together read in a second, again and again. */
  readRows: MAX_ROWS_READ_PER_SECOND,
  /** The part of a partition that a repeated read leaves out. */
  leftOut: 0,
  /** Rows of a table that one server reads in a second, again and again. */
  serverRows: 30_000,
} as const;

/** A figure that has a limit. */
export type Measure = keyof typeof LIMITS;

/** The figures of a table's load. */
export interface Figures extends Readonly<Record<Measure, number>> {
  /** Rows of the greatest partition. */
  readonly rows: number;
  /** Bytes that all replicas of a day's rows take on the disks, before compression. */
  readonly bytesPerDay: number;
  /** Rows that are written in a second, in all partitions together, on one node. */
  readonly rowsPerSecond: number;
}

/** How many times as many rows as make a list's partition full it comes to before the next one begins, and for how long rows come after that. */
const OVERFULL = 3;
const SPLITTING_SECONDS = 10;

/** Computes the figures of a write load of a table. */
export function figuresOf(table: AnyTable, load: WriteLoad, workload: Workload): Figures {
  const { bytes, spread, keptSeconds = Infinity, reads, isEmptied = false } = load;
  const { servers, replicas } = workload;
  const rates = actsPerSecond(workload);
  const total = sumOf(load.rows, rates);
  const rows = rowsOf(table, load, workload);
  const shards = shardsOf(spread, workload);
  const recent = reads?.seconds === undefined ? rows : Math.min(rows, (total * reads.seconds) / shards);
  const taken = reads ? Math.min(recent, reads.most ?? Infinity) / secondsBetween(reads, servers) : 0;
  return {
    rows,
    bytes: rows * bytes,
    writes: busiest(load.rows, load, workload),
    transactions: Math.min(
      busiest(load.transactions ?? {}, load, workload),
      load.maxTransactions ?? Infinity,
    ),
    tombstones: load.mostTombstones ?? (isEmptied ? rows : 0),
    readRows: taken * servers,
    serverRows: taken * shards,
    leftOut: reads?.most === undefined || reads.isSample ? 0 : Math.max(0, 1 - reads.most / rows),
    bytesPerDay: total * Math.min(86_400, keptSeconds) * bytes * replicas,
    rowsPerSecond: total,
  };
}

/** How many seconds a server waits between two reads. */
function secondsBetween({ everySeconds, isPaced = false }: RepeatedReads, servers: number): number {
  return isPaced ? pauseOfReaders(servers, everySeconds * 1000) / 1000 : everySeconds;
}

/** How many rows the greatest partition has. */
function rowsOf(table: AnyTable, load: WriteLoad, workload: Workload): number {
  const { rows, spread, keptSeconds = Infinity, most = Infinity } = load;
  const rates = actsPerSecond(workload);
  const daysKept = Math.min(keptSeconds, workload.days * 86_400);
  if (table.clustering.length === 0) return 1;
  if (isListTable(table))
    return OVERFULL * table.fullRows + busiest(rows, load, workload) * SPLITTING_SECONDS;
  const perAct = Object.entries(rows);
  const inPartition = () => {
    switch (spread.over) {
      case 'acts':
        return Number.isFinite(most) ? most : Math.max(...Object.values(rows));
      case 'people':
        return (greatestOf(perAct, ([, count]) => count) * ACTS_OF_PERSON_PER_DAY * daysKept) / 86_400;
      case 'subjects':
        return greatestOf(perAct, ([act, count]) => count * reachOf(act, workload));
      case 'time':
        return sumOf(rows, rates) * Math.min(spread.seconds, keptSeconds);
      case 'nothing':
        return sumOf(rows, rates) * daysKept;
    }
  };
  const shards = shardsOf(spread, workload);
  return Math.min(most, Math.max(1, inPartition() / shards));
}

/** How much of what acts do comes to the busiest partition in a second. */
function busiest(
  perAct: Readonly<Record<string, number>>,
  { spread }: WriteLoad,
  workload: Workload,
): number {
  const rates = actsPerSecond(workload);
  const shards = shardsOf(spread, workload);
  const each = (rateOf: (act: string, rate: number) => number) =>
    greatestOf(Object.entries(perAct), ([act, count]) => count * rateOf(act, rateIn(rates, act))) / shards;
  switch (spread.over) {
    case 'acts':
      return each((_, rate) => Math.min(1, rate));
    case 'people':
      return each((_, rate) => rateOfPerson(rate));
    case 'subjects':
      return each(rateOfSubject);
    case 'time':
    case 'nothing':
      return sumOf(perAct, rates) / shards;
  }
}

/** Returns the number of equal partitions into which rows that belong together are divided. */
function shardsOf(spread: Spread, workload: Workload): number {
  const shards = 'shards' in spread ? (spread.shards ?? 1) : 1;
  const parts = 'parts' in spread ? partsOf(spread.parts, workload) : 1;
  return parts * ('isByServer' in spread && spread.isByServer ? shards * workload.servers : shards);
}

/** Returns the number of parts into which something is divided. */
export function partsOf({ act, perSecond, most }: Parts, workload: Workload): number {
  const needed = rateIn(actsPerSecond(workload), act) / perSecond;
  return Math.min(most, 2 ** Math.max(0, Math.ceil(Math.log2(needed))));
}

function sumOf(perAct: Readonly<Record<string, number>>, rates: Readonly<Record<string, number>>): number {
  return Object.entries(perAct).reduce((sum, [act, count]) => sum + count * rateIn(rates, act), 0);
}

function greatestOf<T>(all: readonly T[], of: (one: T) => number): number {
  return Math.max(0, ...all.map(of));
}

function rateIn(rates: Readonly<Record<string, number>>, act: string): number {
  const rate = rates[act];
  if (rate === undefined)
    throw new Error(`A load must name an act of ${Object.keys(rates).join(', ')}, but got: ${act}`);
  return rate;
}
