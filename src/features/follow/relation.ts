import type { Row } from '../../kit/cassandra/table';
import type { Load } from '../../kit/reads/load';
import { relations, shownRelations } from './follow.table';

type ShownRelation = Pick<Row<typeof shownRelations>, 'lowFollows' | 'highFollows'>;

/** Whether one user follows another. */
export interface Relation {
  readonly follows: boolean;
  /** When the follower last began to follow; null if never. */
  readonly since: Date | null;
  /** When the relation last changed; null if never. */
  readonly at: Date | null;
  /** How often mutations changed the relation; 0 if it was only imported. */
  readonly version: number;
  /** Whether the relation was imported. */
  readonly imported: boolean;
}

/** The key of two users' relations, in whatever order they are given. */
export function joinPair(a: string, b: string): string {
  return isLow(a, b) ? `${a} ${b}` : `${b} ${a}`;
}

/** Whether the first of two ids is the smaller one. */
export function isLow(id: string, other: string): boolean {
  return id.length === other.length ? id < other : id.length < other.length;
}

/** The relation of a follower to a followee, from the row of the two. */
export function relationBetween(
  row: Row<typeof relations> | null,
  follower: string,
  followee: string,
): Relation {
  if (row === null) return relationIn([]);
  const stored = isLow(follower, followee)
    ? {
        follows: row.lowFollows,
        since: row.lowSince,
        at: row.lowAt,
        version: row.lowVersion,
        imported: row.lowImported,
      }
    : {
        follows: row.highFollows,
        since: row.highSince,
        at: row.highAt,
        version: row.highVersion,
        imported: row.highImported,
      };
  return relationIn([stored]);
}

/** The relation in the rows that were read of it. Without rows, or with nulls, it is that of users who never followed. */
export function relationIn(rows: readonly object[]): Relation {
  const row = (rows[0] ?? {}) as { readonly [K in keyof Relation]?: Relation[K] | null };
  return {
    follows: row.follows ?? false,
    since: row.since ?? null,
    at: row.at ?? null,
    version: row.version ?? 0,
    imported: row.imported ?? false,
  };
}

/** Reads the relation of a follower to a followee. */
export async function relationTo(load: Load, follower: string, followee: string): Promise<Relation> {
  const row = await load(relations.get, { pair: joinPair(follower, followee) });
  return relationBetween(row, follower, followee);
}

/** Whether one user follows another, as it is shown. Nobody follows oneself. */
export function isFollowing(load: Load, follower: string, followee: string): boolean | Promise<boolean> {
  if (follower === followee) return false;
  const read = load(shownRelations.get, { pair: joinPair(follower, followee) });
  return read.then((row) => followsIn(row, follower, followee));
}

/** Whether one user follows another, from the row of the two. */
export function followsIn(row: ShownRelation | null, follower: string, followee: string): boolean {
  return (isLow(follower, followee) ? row?.lowFollows : row?.highFollows) === true;
}

/** The row of an imported relation. */
export function importedRelation(follower: string, followee: string, since: Date) {
  const pair = joinPair(follower, followee);
  return isLow(follower, followee)
    ? { pair, lowFollows: true, lowSince: since, lowAt: since, lowImported: true }
    : { pair, highFollows: true, highSince: since, highAt: since, highImported: true };
}

/**
 * Returns the write time, in microseconds, of rows that depend on a relation. The writes and removals of a later version of the relation
 * win, in whatever order they come. `moment` is when the written object was created.
 */
export function writeTimeOfVersion(
  { at, version }: Pick<Relation, 'at' | 'version'>,
  moment = new Date(0),
): number {
  return Math.max(Number(at), Number(moment), 1) * 1000 + Math.min(version, 999);
}
