import type { Database } from '../cassandra/database';
import { groupByReplica } from '../cassandra/replicas';
import type { BoundStatement } from '../cassandra/statement';

/** A key that is to be read. */
interface Requested {
  readonly bound: BoundStatement;
  /** How many bytes its rows have at most. */
  readonly bytes: number;
}

const ONE_KEY = [[0]] as const;

/**
 * How many bytes one request may answer with, unless one or two keys have more. Cassandra makes an answer whole in memory, the driver decodes
 * it in one turn of the event loop, and all other answers wait behind it. A page of 100 tweets has 8.3 MB at most, a record of one 1 MiB.
 */
const MAX_ANSWER_BYTES = 8 * 1024 ** 2;

/**
 * Groups keys into requests, by their indexes. The keys of a request differ only in their owner and member, or only in their bucket
 * or row, and as far as possible have a replica in common. If there is a single group, it has all keys.
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
  return withParts([...alike.values()], keys)
    .flatMap((group) =>
      group.length === 1
        ? [group]
        : groupByReplica(database, group, (index) => keys[index]?.bound.routingKey() ?? []),
    )
    .flatMap((group) => cutBySize(group, keys));
}

/** Cuts a group whose answer might be too large. */
function cutBySize(group: readonly number[], keys: readonly Requested[]): readonly (readonly number[])[] {
  const bytesOf = (index: number) => keys[index]?.bytes ?? 0;
  if (group.length <= 2 || group.reduce((sum, index) => sum + bytesOf(index), 0) <= MAX_ANSWER_BYTES)
    return [group];
  const parts: number[][] = [];
  let left = 0;
  for (const index of group) {
    const last = parts.at(-1);
    if (last === undefined || (last.length > 1 && bytesOf(index) > left)) {
      parts.push([index]);
      left = MAX_ANSWER_BYTES;
    } else last.push(index);
    left -= bytesOf(index);
  }
  return parts;
}

/** Joins groups of one key each that differ only in their bucket or row. */
function withParts(groups: readonly number[][], keys: readonly Requested[]): readonly number[][] {
  if (groups.length < 2) return groups;
  const joined = new Map<unknown, number[]>();
  for (const group of groups) {
    const bound = keys[group[0] ?? 0]?.bound;
    const kind = group.length > 1 || bound?.part === undefined ? group : bound.kindOfOwner;
    const known = joined.get(kind);
    if (known) known.push(...group);
    else joined.set(kind, [...group]);
  }
  return [...joined.values()];
}

/** A request for the rows of some keys. */
interface GroupRequest {
  readonly cql: string;
  readonly params: readonly unknown[];
  readonly routingKey: ReturnType<BoundStatement['routingKey']>;
  /** How many partitions it reads. */
  readonly partitions: number;
  /** Gives each key its rows, in the order of the keys. */
  divide(this: void, rows: readonly object[]): readonly (readonly object[])[];
}

/** The request for the keys of a group. */
export function requestFor(keys: readonly Requested[]): GroupRequest {
  const first = keys[0]?.bound;
  if (first === undefined) throw new Error('A request must have a key, but has none.');
  const { texts, values, ownerProperty, memberProperty, member } = first;
  const routingKey = first.routingKey();
  if (keys.length === 1) {
    const own = member === undefined ? [] : [member];
    const params = [first.owner, ...own, ...values];
    return { cql: texts.cql, params, routingKey, partitions: 1, divide: (rows) => [rows] };
  }
  const areParts = keys.some(({ bound }) => bound.kind !== first.kind);
  if (areParts && texts.ofParts !== undefined) {
    const { cql, property, areRows } = texts.ofParts;
    const partitions = areRows ? 1 : keys.length;
    const parts = keys.map(({ bound }) => bound.part);
    const params = [first.owner, parts, ...values.slice(1)];
    return { cql, params, routingKey, partitions, divide: (rows) => rowsBy(property, rows, parts) };
  }
  const owners = keys.map(({ bound }) => bound.owner);
  const members = memberProperty === undefined ? [] : [keys.map(({ bound }) => bound.member)];
  const params = [owners, ...members, ...values];
  const divide = (rows: readonly object[]) => rowsBy(ownerProperty, rows, owners);
  return { cql: texts.cqlOfMany, params, routingKey, partitions: keys.length, divide };
}

/** Groups rows by a property, in the order of `wanted`. */
function rowsBy(property: string, rows: readonly object[], wanted: readonly unknown[]): object[][] {
  const found = new Map<unknown, object[]>();
  let last: { readonly value: unknown; readonly rows: object[] } | undefined;
  for (const row of rows) {
    const value = (row as Readonly<Record<string, unknown>>)[property];
    // Most rows have the value of the row before, and comparing two texts is cheaper than hashing one.
    if (last?.value !== value) {
      let having = found.get(value);
      if (having === undefined) found.set(value, (having = []));
      last = { value, rows: having };
    }
    last?.rows.push(row);
  }
  return wanted.map((value) => found.get(value) ?? []);
}
