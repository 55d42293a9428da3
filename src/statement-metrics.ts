import { Counter, Histogram, type Registry } from 'prom-client';
import {
  STATEMENT_SECONDS,
  type AllStatementCounts,
  type StatementCounts,
} from './kit/cassandra/statement-counts';

/** Shows the requests to Cassandra, by statement. Nothing is computed before somebody asks for the metrics. */
export function measureStatements(registers: Registry[], statements: AllStatementCounts): void {
  registers.forEach((registry) => {
    registry.registerMetric(new StatementDurations(statements));
  });
  const count = (name: string, help: string, of: (counts: StatementCounts) => number) =>
    new Counter({
      name: `murmuration_statement_${name}_total`,
      help,
      labelNames: ['statement'],
      registers,
      collect() {
        this.reset();
        for (const [statement, counts] of statements.all()) this.inc({ statement }, of(counts));
      },
    });
  count(
    'failures',
    'Requests to Cassandra that failed, with all their retries.',
    (counts) => counts.failures,
  );
  count('retries', 'How often a request to Cassandra was sent again.', (counts) => counts.retries);
  count(
    'timeouts',
    'How often a node of Cassandra, or its replicas, did not answer in time.',
    (counts) => counts.timeouts,
  );
  count(
    'conflicts',
    'Lightweight transactions that were not applied, because others had written before.',
    (counts) => counts.conflicts,
  );
  count('partitions', 'Partitions that reads of fields have asked for.', (counts) => counts.partitions);
  count('rows', 'Rows that reads of fields have returned.', (counts) => counts.rows);
  count('bytes', 'Bytes of these rows, about; only of reads for GraphQL requests.', (counts) => counts.bytes);
}

const DURATION = 'murmuration_statement_duration_seconds';
const DURATION_HELP = 'Duration of requests to Cassandra with their retries, by statement: `<table>.<verb>`.';

/** A histogram of what was counted elsewhere: to observe each request here would create several objects for each. */
class StatementDurations extends Histogram<'statement'> {
  constructor(private readonly statements: AllStatementCounts) {
    super({ name: DURATION, help: DURATION_HELP, labelNames: ['statement'], registers: [] });
  }

  /** Returns the values. `get` of the base class calls this, too, and the registry does for the text format. */
  getForPromString(): Promise<object> {
    const values = [...this.statements.all()].flatMap(([statement, counts]) => valuesOf(statement, counts));
    return Promise.resolve({
      name: DURATION,
      help: DURATION_HELP,
      type: 'histogram',
      aggregator: 'sum',
      values,
    });
  }
}

function valuesOf(statement: string, { durations, seconds }: StatementCounts) {
  // The text format joins the two kinds of labels, and `get` those of a server among several.
  const sharedLabels = { statement };
  let count = 0;
  const buckets = durations.map((more, index) => {
    count += more;
    return {
      metricName: `${DURATION}_bucket`,
      labels: { le: STATEMENT_SECONDS[index] ?? '+Inf' },
      sharedLabels,
      value: count,
    };
  });
  return [
    ...buckets,
    { metricName: `${DURATION}_sum`, labels: {}, sharedLabels, value: seconds },
    { metricName: `${DURATION}_count`, labels: {}, sharedLabels, value: count },
  ];
}
