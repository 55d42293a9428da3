import {
  getNamedType,
  isNonNullType,
  isObjectType,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql';
import { readMigrations } from '../../kit/cassandra/migration-files';
import { toSnakeCase } from '../../kit/cassandra/statement';
import type { Columns, Table, TableRole } from '../../kit/cassandra/table';
import { costSentence } from '../../kit/cost/describe';
import { tablesOf } from '../../kit/cost/reads';

/** Any declared table. */
export type DeclaredTable = Table<Columns, string, string>;

/** The sources of a model. */
export interface ModelSource {
  readonly title: string;
  /** Builds the schema. */
  createSchema(this: void): GraphQLSchema;
  /** The tables of each feature, in the order in which they are shown. */
  readonly features: Readonly<Record<string, readonly DeclaredTable[]>>;
  /** The folder of the migrations. The comments of its tables say which question each table answers. */
  readonly cql: string;
  /** The role of each table in a backup, by its name. */
  readonly roles?: Readonly<Record<string, TableRole>>;
}

/** The logical data model: which fields read which tables. */
export interface Model {
  readonly title: string;
  readonly features: readonly ModelFeature[];
}

/** A feature: its tables, and the fields that are read from them. */
export interface ModelFeature {
  readonly name: string;
  readonly tables: readonly ModelTable[];
  /** The fields whose main table is one of these. */
  readonly fields: readonly ModelField[];
}

/** A table as the model shows it. */
export interface ModelTable {
  readonly name: string;
  /** The question that the table answers, and how much a partition holds. */
  readonly comment: string;
  /** The role of the table in a backup, if the model says so. */
  readonly role?: TableRole;
  /** The greatest size of a row in bytes. */
  readonly rowBytes: number;
  readonly columns: readonly ModelColumn[];
  /** The statement that creates it. */
  readonly cql: string;
  /** The statement that reads a row or a page of it. */
  readonly select: string;
}

/** A column. The columns of the primary key come first, then the others in the order of the declaration. */
interface ModelColumn {
  readonly name: string;
  readonly type: string;
  /** The kind, as Chebotko diagrams show it: K for the partition key, C for the clustering key with its order, S for static. */
  readonly kind: 'K' | 'C↑' | 'C↓' | 'S' | '';
  /** The greatest size of a value in bytes, of columns whose values have different sizes. */
  readonly maxBytes?: number;
}

/** A field that reads tables. */
export interface ModelField {
  /** `User.tweets`. */
  readonly name: string;
  /** `tweets(order: TweetOrder!, first: Int): TweetConnection!`. */
  readonly signature: string;
  /** Its description in the schema. */
  readonly description: string;
  /** The most that it costs, generated from its declaration. */
  readonly cost: string;
  /** The names of the tables that it reads, its main table first. */
  readonly reads: readonly string[];
  /** The type whose fields can be asked next; null if the answer is not an object with fields that read tables. */
  readonly leadsTo: string | null;
}

/** Creates the model of a schema and its tables. */
export function readModel({ title, createSchema, features, cql, roles = {} }: ModelSource): Model {
  const comments = commentsIn(cql);
  const fields = readFields(createSchema()).sort(
    (a, b) => rankField(a) - rankField(b) || a.name.localeCompare(b.name, 'en'),
  );
  return {
    title,
    features: Object.entries(features).map(([name, tables]) => ({
      name,
      tables: tables.map((table) => readTable(table, comments.get(table.name) ?? '', roles[table.name])),
      fields: fields.filter(({ reads: [own] }) => tables.some((table) => table.name === own)),
    })),
  };
}

/**
 * Returns the rank of a field, by which it stands before names decide: fields of `Query`, of other objects, of connections and edges, and
 * last mutations.
 */
function rankField({ name }: ModelField): number {
  const type = namedTypeOf(name);
  return type === 'Query' ? 0 : type === 'Mutation' ? 3 : isOfList(type) ? 2 : 1;
}

/** `User` of `User.tweets`. */
export function namedTypeOf(name: string): string {
  return name.slice(0, name.indexOf('.'));
}

/** The comment of each table, from the last migration that sets it. */
function commentsIn(folder: string): ReadonlyMap<string, string> {
  const pattern = /^(?:CREATE TABLE IF NOT EXISTS|ALTER TABLE) (\w+)[^]*\bcomment = '((?:[^']|'')*)'/;
  const comments = new Map<string, string>();
  for (const { statements } of readMigrations(folder))
    for (const statement of statements) {
      const [, table, comment] = pattern.exec(statement) ?? [];
      if (table !== undefined && comment !== undefined) comments.set(table, comment.replaceAll("''", "'"));
    }
  return comments;
}

function readTable(table: DeclaredTable, comment: string, role?: TableRole): ModelTable {
  const { name, partition, clustering, order } = table;
  const first = [...partition, ...clustering];
  const rest = Object.keys(table.columns).filter((property) => !first.includes(property));
  const columns = [...first, ...rest].map((property): ModelColumn => {
    const column = table.columns[property];
    const { maxBytes } = column?.isFixed ? {} : (column ?? {});
    return {
      name: toSnakeCase(property),
      type: column?.cql ?? '',
      kind: findColumnKind(table, property),
      ...(maxBytes !== undefined && { maxBytes }),
    };
  });
  const key = partition.map(toSnakeCase).join(', ');
  const keyParts = [partition.length > 1 ? `(${key})` : key, ...clustering.map(toSnakeCase)];
  const cql = [
    `CREATE TABLE ${name} (`,
    ...columns.map(({ name, type, kind }) => `  ${name} ${type}${kind === 'S' ? ' static' : ''},`),
    `  PRIMARY KEY (${keyParts.join(', ')})`,
    clustering.length > 0 && order === 'desc'
      ? `) WITH CLUSTERING ORDER BY (${clustering.map((property) => `${toSnakeCase(property)} DESC`).join(', ')});`
      : ');',
  ].join('\n');
  const where = partition.map((property) => `${toSnakeCase(property)} = ?`).join(' AND ');
  const clusteringKey = clustering.map(toSnakeCase).join(', ');
  const markers = clustering.map(() => '?').join(', ');
  const page = `\n  [AND (${clusteringKey}) ${order === 'asc' ? '>' : '<'} (${markers})]\n  PER PARTITION LIMIT ?`;
  const select = `SELECT … FROM ${name}\n  WHERE ${where}${clustering.length > 0 ? page : ''};`;
  return { name, comment, ...(role && { role }), rowBytes: table.rowBytes, columns, cql, select };
}

function findColumnKind(
  { columns, partition, clustering, order }: DeclaredTable,
  property: string,
): ModelColumn['kind'] {
  if (partition.includes(property)) return 'K';
  if (clustering.includes(property)) return order === 'asc' ? 'C↑' : 'C↓';
  return columns[property]?.isStatic ? 'S' : '';
}

/** All fields that read tables. */
function readFields(schema: GraphQLSchema): ModelField[] {
  return Object.values(schema.getTypeMap()).flatMap((type) =>
    readingFieldsOf(type).map((field) => ({
      name: `${type.name}.${field.name}`,
      signature: printSignature(field),
      description: field.description ?? '',
      cost: costSentence(field),
      reads: tablesOf(field),
      leadsTo: findNext(getNamedType(field.type)),
    })),
  );
}

function readingFieldsOf(type: GraphQLNamedType): GraphQLField<unknown, unknown>[] {
  if (!isObjectType(type) || type.name.startsWith('__')) return [];
  return Object.values(type.getFields()).filter((field) => tablesOf(field).length > 0);
}

function printSignature({ name, args, type }: GraphQLField<unknown, unknown>): string {
  const given = args.map((arg) => `${arg.name}: ${String(arg.type)}`).join(', ');
  return `${name}${given && `(${given})`}: ${String(type)}`;
}

/** Whether a type only holds the items of a list: a connection or an edge. */
export function isOfList(type: string): boolean {
  return /(?:Connection|Edge)$/.test(type);
}

/** The nearest type with fields that read tables; a list leads to its items. */
function findNext(type: GraphQLNamedType, passed: ReadonlySet<string> = new Set()): string | null {
  if (!isObjectType(type) || passed.has(type.name)) return null;
  if (!isOfList(type.name) && readingFieldsOf(type).length > 0) return type.name;
  const fields = Object.values(type.getFields());
  // Non-null fields first: they lead to the items of a list, others to what is shown beside the items.
  fields.sort((a, b) => Number(isNonNullType(b.type)) - Number(isNonNullType(a.type)));
  for (const field of fields) {
    const next = findNext(getNamedType(field.type), new Set([...passed, type.name]));
    if (next !== null) return next;
  }
  return null;
}
