/** Nothing on this machine can run Cassandra; the message says what to install. */
export class NoEngineError extends Error {
  override readonly name = 'NoEngineError';
  readonly code = 'NO_ENGINE';
}

/** Maven could not fetch Cassandra's jars; the message ends with Maven's own words. */
export class ResolveError extends Error {
  override readonly name = 'ResolveError';
  readonly code = 'CASSANDRA_NOT_RESOLVED';
}

/** A Cassandra node did not come up; the message ends with the lines of its log that matter. */
export class NodeStartError extends Error {
  override readonly name = 'NodeStartError';
  readonly code = 'CASSANDRA_NOT_STARTED';
}

/** The system's code of an error (`EEXIST`). `instanceof` does not work here, because jest runs tests in a realm of their own. */
export function systemCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}
