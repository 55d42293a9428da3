import { Client, types } from 'cassandra-driver';

/** Creates a client of a node with the driver alone, for what is compared with the server: no paging, ids as bigints. */
export function rawClient(contactPoint: string, keyspace?: string): Client {
  return new Client({
    contactPoints: [contactPoint],
    localDataCenter: 'datacenter1',
    ...(keyspace !== undefined && { keyspace }),
    encoding: { useBigIntAsLong: true },
    queryOptions: { prepare: true, consistency: types.consistencies.localOne, fetchSize: 0 },
  });
}
