/** How much one request to Cassandra has read. */
interface TracedRead {
  readonly partitions: number;
  readonly rows: number;
  readonly bytes: number;
}

/** The result of a traced request to the server. */
interface TracedAnswer {
  readonly status: number;
  readonly operation: string | null;
  /** The codes of the errors in the answer. */
  readonly codes: readonly string[];
}

/** The trace of a request that is sampled: a span of its own, one for each phase, and one for each request to Cassandra in it. */
export interface RequestTrace {
  /** Begins a phase, and ends the one before: `prepare` until all is ready to run, then `execute`; null ends it only. */
  enter(this: void, phase: 'prepare' | 'execute' | null): void;
  /** Begins a request to Cassandra. The returned function ends it. */
  send(this: void, statement: string, table: string): (outcome: TracedRead | Error) => void;
  /** Ends the trace. */
  end(this: void, answer: TracedAnswer): void;
}
