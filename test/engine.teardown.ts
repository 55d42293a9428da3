/** Gives the run's Cassandra back. */
export default async function tearDown(): Promise<void> {
  await globalThis.engine?.release();
}
