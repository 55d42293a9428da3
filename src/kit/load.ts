import DataLoader from 'dataloader';
import type { Database } from './cassandra/database';
import type { Bound, Statement } from './cassandra/statement';
import { groupByReplica } from './cassandra/replicas';

/** Reads by statement and key; keys asked for in the same tick go out together. Lives and dies with its request. */
export type Load = <Key, Result>(statement: Statement<Key, Result>, key: Key) => Promise<Result>;

/** One request to Cassandra, as tests and `extensions.explain` see it. */
export interface Read {
  readonly statement: string;
  readonly table: string;
  /** How many keys resolvers asked for in this request. */
  readonly keys: number;
  readonly partitions: number;
  readonly rows: number;
  readonly milliseconds: number;
  /** The fields that asked, indexes left out: `user.timeline.nodes.author`. */
  readonly paths: readonly string[];
}

/** What the loaders of a request write down, when somebody wants to know. */
export interface ReadLog {
  readonly reads: Read[];
  /** The field that is being resolved. */
  path(): string | undefined;
}

interface Asked {
  readonly bound: Bound;
  readonly path: string | undefined;
}

/** Makes a request's `load`: one lazily made DataLoader a statement. */
export function createLoad(database: Database, log?: ReadLog): Load {
  const loaders = new Map<string, DataLoader<Asked, readonly object[], string>>();
  return async <Key, Result>(statement: Statement<Key, Result>, key: Key) => {
    let loader = loaders.get(statement.name);
    if (loader === undefined) {
      const { name, table } = statement;
      loader = new DataLoader((asked) => readAll(database, name, table, asked, log), {
        name,
        cacheKeyFn: ({ bound }) => `${bound.owner}\0${bound.values.join('\0')}\0${bound.cql}`,
        maxBatchSize: 1000,
      });
      loaders.set(name, loader);
    }
    return statement.pick(await loader.load({ bound: statement.bind(key), path: log?.path() }));
  };
}

/** Reads many keys of one statement at once, for work that belongs to no request; answers in the order of the keys. */
export async function readMany<Key, Result>(
  database: Database,
  statement: Statement<Key, Result>,
  keys: readonly Key[],
): Promise<Result[]> {
  const asked = keys.map((key) => ({ bound: statement.bind(key), path: undefined }));
  const answers = await readAll(database, statement.name, statement.table, asked, undefined);
  return answers.map((rows) => {
    if (rows instanceof Error) throw rows;
    return statement.pick(rows);
  });
}

async function readAll(
  database: Database,
  statement: string,
  table: string,
  asked: readonly Asked[],
  log: ReadLog | undefined,
): Promise<(readonly object[] | Error)[]> {
  const answers = new Array<readonly object[] | Error>(asked.length);
  await Promise.all(
    groupsOf(database, asked).map(async (indexes) => {
      const group = indexes.flatMap((index) => asked[index] ?? []);
      const started = performance.now();
      const rows = await readGroup(
        database,
        group.map(({ bound }) => bound),
      ).catch(asError);
      indexes.forEach(
        (index, place) => (answers[index] = rows instanceof Error ? rows : (rows[place] ?? [])),
      );
      log?.reads.push({
        statement,
        table,
        keys: group.length,
        partitions: group.length,
        rows: rows instanceof Error ? 0 : rows.reduce((sum, some) => sum + some.length, 0),
        milliseconds: Math.round((performance.now() - started) * 100) / 100,
        paths: [...new Set(group.flatMap(({ path }) => path ?? []))],
      });
    }),
  );
  return answers;
}

/** Keys that differ in their owner only can be one request; of those, each request goes to a node that holds its keys. */
function groupsOf(database: Database, asked: readonly Asked[]): number[][] {
  const alike = new Map<string, number[]>();
  asked.forEach(({ bound }, index) => {
    const kind = `${bound.cql}\0${bound.values.join('\0')}`;
    const group = alike.get(kind);
    if (group) group.push(index);
    else alike.set(kind, [index]);
  });
  return [...alike.values()].flatMap((group) =>
    group.length === 1
      ? [group]
      : groupByReplica(database, group, (index) => asked[index]?.bound.routingKey() ?? []),
  );
}

/** One request for keys that differ in their owner only; answers in the order of the keys. */
async function readGroup(database: Database, keys: readonly Bound[]): Promise<(readonly object[])[]> {
  const first = keys[0];
  if (first === undefined) return [];
  if (keys.length === 1)
    return [await database.read(first.cql, [first.owner, ...first.values], first.routingKey())];
  const owners = keys.map(({ owner }) => owner);
  const rows = await database.read(first.cqlOfMany, [owners, ...first.values], first.routingKey());
  const byOwner = new Map<unknown, object[]>();
  for (const row of rows) {
    const owner: unknown = Reflect.get(row, first.ownerProperty);
    const some = byOwner.get(owner);
    if (some) some.push(row);
    else byOwner.set(owner, [row]);
  }
  return owners.map((owner) => byOwner.get(owner) ?? []);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
