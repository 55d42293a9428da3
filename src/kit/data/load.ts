import DataLoader from 'dataloader';
import type { Database, ReadLimit } from '../cassandra/database';
import type { Bound, Statement } from '../cassandra/statement';
import { groupByReplica } from '../cassandra/replicas';
import type { Pass } from './gate';

/** Reads by statement and key; keys asked for in the same tick go out together. Lives and dies with its request. */
export interface Load {
  <Key, Result>(statement: Statement<Key, Result>, key: Key): Promise<Result>;
  /** Forgets what was read: after a write, reads find what was written. */
  forget(): void;
}

/** One request to Cassandra, as tests and `extensions.explain` see it. */
export interface Read {
  readonly statement: string;
  readonly table: string;
  /** How many keys resolvers asked for in this request. */
  readonly keys: number;
  readonly partitions: number;
  readonly rows: number;
  readonly milliseconds: number;
  /** Where in the query it was asked for, indexes left out: `user.timeline.nodes.author`. */
  readonly paths: readonly string[];
  /** The fields that asked, as the schema names them: `Tweet.author`. */
  readonly fields: readonly string[];
}

/** A field that is being resolved. */
export interface Asking {
  readonly path: string;
  readonly field: string;
}

/** What the loaders of a request write down, when somebody wants to know. */
export interface ReadLog {
  readonly reads: Read[];
  /** What is being resolved. */
  asking(): Asking | undefined;
  /** The fields that gave lists, by their paths. */
  readonly lists: Map<string, string>;
}

interface Asked {
  readonly id: string;
  readonly bound: Bound;
  /** What asked for it, where there is a log. */
  readonly askings: Asking[];
}

interface Loader {
  readonly batches: DataLoader<Asked, unknown, string>;
  /** What was asked for since the last batch went out: whoever asks for it too waits for the same promise. */
  readonly collecting: Map<string, Promise<unknown>>;
  /** What was asked for, where there is a log: others may ask for the same later. */
  readonly asked: Map<string, Asked>;
}

/** Of what is not logged. */
const NOBODY: Asking[] = [];

/** Makes a request's `load`: one lazily made DataLoader a statement. Work that belongs to no request needs no pass. */
export function createLoad(database: Database, log?: ReadLog, pass?: Pass): Load {
  const loaders = new Map<unknown, Loader>();
  const load = <Key, Result>(statement: Statement<Key, Result>, key: Key) => {
    let loader = loaders.get(statement);
    if (loader === undefined) loaders.set(statement, (loader = createLoader(database, statement, log, pass)));
    const bound = statement.bind(key);
    const { id } = bound;
    let answer = loader.collecting.get(id);
    if (answer === undefined) {
      const asked = { id, bound, askings: log ? [] : NOBODY };
      if (log && !loader.asked.has(id)) loader.asked.set(id, asked);
      answer = loader.batches.load(asked);
      // Who waits for something else first may never come to wait for this: its failure must not end the process.
      answer.catch(() => undefined);
      loader.collecting.set(id, answer);
    }
    const asking = log?.asking();
    if (asking) loader.asked.get(id)?.askings.push(asking);
    return answer as Promise<Result>;
  };
  return Object.assign(load, {
    forget: () => {
      loaders.clear();
    },
  });
}

function createLoader<Key, Result>(
  database: Database,
  statement: Statement<Key, Result>,
  log: ReadLog | undefined,
  pass: Pass | undefined,
): Loader {
  const collecting = new Map<string, Promise<unknown>>();
  const batches = new DataLoader<Asked, unknown, string>(
    (asked) => {
      collecting.clear();
      return readAll(database, statement, asked, log, pass);
    },
    { name: statement.name, cacheKeyFn: ({ id }) => id, maxBatchSize: 1000 },
  );
  return { batches, collecting, asked: new Map() };
}

/** Reads many keys of one statement at once, for work that belongs to no request; answers in the order of the keys. */
export async function readMany<Key, Result>(
  database: Database,
  statement: Statement<Key, Result>,
  keys: readonly Key[],
): Promise<Result[]> {
  const asked = keys.map((key) => ({ id: '', bound: statement.bind(key), askings: NOBODY }));
  const answers = await readAll(database, statement, asked, undefined);
  return answers.map((answer) => {
    if (answer instanceof Error) throw answer;
    return answer;
  });
}

async function readAll<Key, Result>(
  database: Database,
  statement: Statement<Key, Result>,
  asked: readonly Asked[],
  log: ReadLog | undefined,
  pass?: Pass,
): Promise<(Result | Error)[]> {
  const answers = new Array<Result | Error>(asked.length);
  await Promise.all(
    groupsOf(database, asked).map(async (indexes) => {
      const group = indexes.flatMap((index) => asked[index] ?? []);
      let started: number | undefined;
      const read = () => {
        started = performance.now();
        const keys = group.map(({ bound }) => bound);
        return readGroup(database, keys, pass);
      };
      const rows = await (pass ? pass.run(group.length, read) : read()).catch(asError);
      indexes.forEach((index, place) => {
        answers[index] = rows instanceof Error ? rows : statement.pick(rows[place] ?? []);
      });
      // What waited in vain was not read.
      if (started === undefined) return;
      log?.reads.push({
        statement: statement.name,
        table: statement.table,
        keys: group.length,
        partitions: group.length,
        rows: rows instanceof Error ? 0 : rows.reduce((sum, some) => sum + some.length, 0),
        milliseconds: Math.round((performance.now() - started) * 100) / 100,
        // Until the answer goes out others may ask for what was read.
        get paths() {
          return [...new Set(group.flatMap(({ askings }) => askings.map(({ path }) => path)))];
        },
        get fields() {
          return [...new Set(group.flatMap(({ askings }) => askings.map(({ field }) => field)))];
        },
      });
    }),
  );
  return answers;
}

/** Keys that differ in their owner only can be one request; of those, each request goes to a node that holds its keys. */
function groupsOf(database: Database, asked: readonly Asked[]): number[][] {
  const alike = new Map<string, number[]>();
  asked.forEach(({ bound: { kind } }, index) => {
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
async function readGroup(
  database: Database,
  keys: readonly Bound[],
  limit: ReadLimit | undefined,
): Promise<(readonly object[])[]> {
  const first = keys[0];
  if (first === undefined) return [];
  const { texts, values, ownerProperty } = first;
  if (keys.length === 1)
    return [await database.read(texts.cql, [first.owner, ...values], first.routingKey(), limit)];
  const owners = keys.map(({ owner }) => owner);
  const rows = await database.read(texts.cqlOfMany, [owners, ...values], first.routingKey(), limit);
  const byOwner = new Map<unknown, object[]>();
  for (const row of rows) {
    const owner = (row as Readonly<Record<string, unknown>>)[ownerProperty];
    const some = byOwner.get(owner);
    if (some) some.push(row);
    else byOwner.set(owner, [row]);
  }
  return owners.map((owner) => byOwner.get(owner) ?? []);
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
