import type { Database, ReadLimit } from '../cassandra/database';
import { groupByReplica } from '../cassandra/replicas';
import type { Bound } from '../cassandra/statement';

/** A key that is to be read. */
interface Requested {
  readonly bound: Bound;
}

const ONE_KEY = [[0]] as const;

/**
 * Groups keys into requests, by their indexes. The keys of a request differ only in their owner and member and, as far as
 * possible, have a replica in common. If there is a single group, it has all keys.
 */
export function groupsOf(database: Database, keys: readonly Requested[]): readonly (readonly number[])[] {
  if (keys.length === 1) return ONE_KEY;
  const alike = new Map<string, number[]>();
  const members = new Set<string>();
  keys.forEach(({ bound }, index) => {
    let { kind } = bound;
    if (bound.member !== undefined) {
      // A limit is for all rows of a partition, so two members of one are read apart.
      while (members.has(`${bound.owner} ${kind}`)) kind += '\0';
      members.add(`${bound.owner} ${kind}`);
    }
    const group = alike.get(kind);
    if (group) group.push(index);
    else alike.set(kind, [index]);
  });
  return [...alike.values()].flatMap((group) =>
    group.length === 1
      ? [group]
      : groupByReplica(database, group, (index) => keys[index]?.bound.routingKey() ?? []),
  );
}

/** Sends one request for keys that differ only in their owner and member. The results are in the order of the keys. */
export async function readGroup(
  database: Database,
  keys: readonly Requested[],
  limit: ReadLimit | undefined,
): Promise<(readonly object[])[]> {
  const first = keys[0]?.bound;
  if (first === undefined) return [];
  const { texts, values, ownerProperty, memberProperty, member } = first;
  const own = member === undefined ? [] : [member];
  if (keys.length === 1)
    return [await database.read(texts.cql, [first.owner, ...own, ...values], first.routingKey(), limit)];
  const owners = keys.map(({ bound }) => bound.owner);
  const members = memberProperty === undefined ? [] : [keys.map(({ bound }) => bound.member)];
  const rows = await database.read(
    texts.cqlOfMany,
    [owners, ...members, ...values],
    first.routingKey(),
    limit,
  );
  const byOwner = new Map<unknown, object[]>();
  let last: { readonly owner: unknown; readonly rows: object[] } | undefined;
  for (const row of rows) {
    const owner = (row as Readonly<Record<string, unknown>>)[ownerProperty];
    // Most rows have the owner of the row before, and comparing two texts is cheaper than hashing one.
    if (last?.owner !== owner) {
      let ofOwner = byOwner.get(owner);
      if (ofOwner === undefined) byOwner.set(owner, (ofOwner = []));
      last = { owner, rows: ofOwner };
    }
    last?.rows.push(row);
  }
  return owners.map((owner) => byOwner.get(owner) ?? []);
}
