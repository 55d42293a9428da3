/** The keyspace that a worker of the run keeps for its files. */
export function keyspaceOf(worker: string): string {
  return `${process.env['TEST_KEYSPACE'] ?? 'test'}_${worker}`;
}
