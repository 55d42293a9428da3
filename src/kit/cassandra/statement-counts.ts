/** The upper bounds of the classes into which requests are counted by their duration, in seconds. */
export const STATEMENT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5];

/** The counts of all requests of one statement since the start. These are plain numbers, because each request of each query counts here. */
export class StatementCounts {
  /** Requests that failed, with all their retries. */
  failures = 0;
  /** How often a request was sent again. */
  retries = 0;
  /** How often a node did not answer in time, or had no answer of its replicas in time. */
  timeouts = 0;
  /** Lightweight transactions that were not applied, because others had written before. */
  conflicts = 0;
  /** Partitions that were asked for, the rows that came, and their bytes as `measureRows` estimates them. Requests that share a read count each. */
  partitions = 0;
  rows = 0;
  bytes = 0;
  /** The seconds of all requests together. */
  seconds = 0;
  /** How many requests took up to each of `STATEMENT_SECONDS` and longer than the one before; the last took longer than all. */
  readonly durations: number[] = Array.from({ length: STATEMENT_SECONDS.length + 1 }, () => 0);

  /** Counts a request that was answered, or failed, after so many seconds. */
  countDuration(seconds: number): void {
    this.seconds += seconds;
    let index = 0;
    while (seconds > (STATEMENT_SECONDS[index] ?? Infinity)) index++;
    this.durations[index] = (this.durations[index] ?? 0) + 1;
  }

  /** Counts what a read has returned. */
  countRead(partitions: number, rows: number, bytes: number): void {
    this.partitions += partitions;
    this.rows += rows;
    this.bytes += bytes;
  }
}

/** The counts of all statements that were sent. Their names are constants of the code, so there are only so many. */
export interface AllStatementCounts {
  /** The counts of a statement, by the name that it was declared with. */
  named(name: string): StatementCounts;
  /** The counts of a text of CQL: those of `<table>.<verb>`. */
  ofText(cql: string, verb: string): StatementCounts;
  all(): ReadonlyMap<string, StatementCounts>;
}

/** How many texts of CQL are remembered with their tables. */
const MAX_TEXTS = 2000;
const TABLE = /\b(?:INTO|UPDATE|FROM)\s+(?:\w+\.)?(\w+)/i;

/** Creates the counts of a database, which are all 0. */
export function createStatementCounts(): AllStatementCounts {
  const counts = new Map<string, StatementCounts>();
  const tables = new Map<string, string>();
  const named = (name: string) => {
    let found = counts.get(name);
    if (found === undefined) counts.set(name, (found = new StatementCounts()));
    return found;
  };
  const tableIn = (cql: string) => {
    let table = tables.get(cql);
    if (table === undefined) {
      table = TABLE.exec(cql)?.[1]?.toLowerCase() ?? 'other';
      if (tables.size < MAX_TEXTS) tables.set(cql, table);
    }
    return table;
  };
  return { named, ofText: (cql, verb) => named(`${tableIn(cql)}.${verb}`), all: () => counts };
}
