/** How many replicas must answer a read or store a write before it succeeds. */
export type Consistency = 'ONE' | 'LOCAL_ONE' | 'QUORUM' | 'LOCAL_QUORUM' | 'EACH_QUORUM' | 'ALL';

/** Which replicas decide a lightweight transaction: those of the local data centre, or those of all. */
export type SerialConsistency = 'LOCAL_SERIAL' | 'SERIAL';

/** A keyspace's replicas, and the consistency levels that are used with it. */
export interface Guarantees {
  /** The number of replicas in each data centre. */
  readonly replicas: Readonly<Record<string, number>>;
  readonly localDatacenter: string;
  readonly readConsistency: Consistency;
  readonly writeConsistency: Consistency;
  readonly serialConsistency: SerialConsistency;
}

/** Finds what a keyspace and the consistency levels cannot guarantee together. Each warning is a sentence for the log; there are none if all is well. */
export function consistencyWarnings(guarantees: Guarantees): string[] {
  const { replicas, readConsistency, writeConsistency, serialConsistency } = guarantees;
  const warnings: string[] = [];
  if (!doOverlap(guarantees))
    warnings.push(
      `CASSANDRA_READ_CONSISTENCY ${readConsistency} and CASSANDRA_WRITE_CONSISTENCY ${writeConsistency} do not overlap on ${JSON.stringify(replicas)} replicas: a read may miss what was just written`,
    );
  if (Object.keys(replicas).length > 1 && serialConsistency === 'LOCAL_SERIAL')
    warnings.push(
      'CASSANDRA_SERIAL_CONSISTENCY LOCAL_SERIAL decides within one data centre, but the keyspace has several: if servers write in more than one, set SERIAL, and QUORUM or EACH_QUORUM for writes',
    );
  return warnings;
}

/** Whether each read includes a replica that has every earlier write (R + W > N), counted over the local data centre or over all. */
function doOverlap({ replicas, localDatacenter, readConsistency, writeConsistency }: Guarantees): boolean {
  const counts = Object.values(replicas);
  const total = counts.reduce((sum, count) => sum + count, 0);
  const local = replicas[localDatacenter] ?? 0;
  const anywhere: Readonly<Record<Consistency, number>> = {
    ONE: 1,
    LOCAL_ONE: 1,
    LOCAL_QUORUM: quorumSize(local),
    QUORUM: quorumSize(total),
    EACH_QUORUM: counts.reduce((sum, count) => sum + quorumSize(count), 0),
    ALL: total,
  };
  // How many local replicas each level is sure to include: all others may be in other data centres.
  const here: Readonly<Record<Consistency, number>> = {
    ONE: Math.max(0, 1 - (total - local)),
    LOCAL_ONE: 1,
    LOCAL_QUORUM: quorumSize(local),
    QUORUM: Math.max(0, quorumSize(total) - (total - local)),
    EACH_QUORUM: quorumSize(local),
    ALL: local,
  };
  return (
    anywhere[readConsistency] + anywhere[writeConsistency] > total ||
    here[readConsistency] + here[writeConsistency] > local
  );
}

function quorumSize(replicas: number): number {
  return Math.floor(replicas / 2) + 1;
}

/** Reads the number of replicas in each data centre from a row of `system_schema.keyspaces`; null unless it uses `NetworkTopologyStrategy`. */
export function replicasIn(row: object | undefined): Readonly<Record<string, number>> | null {
  const replication: unknown = Reflect.get(Object(row), 'replication');
  const { class: strategy, ...counts } = Object(replication) as Readonly<Record<string, string>>;
  if (!strategy?.endsWith('NetworkTopologyStrategy')) return null;
  return Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, Number.parseInt(count)]));
}
