import type { Row } from '../kit/cassandra/table';
import type { Load } from '../kit/load';
import { relations } from './follow.table';

/** Whether one user follows another. */
export interface Relation {
  readonly follows: boolean;
  /** When the follower last began to follow. */
  readonly since: Date | null;
  /** When that last changed. */
  readonly at: Date | null;
  /** How often it changed here; 0 for what was only imported. */
  readonly turn: number;
  /** Whether an import has brought it. */
  readonly imported: boolean;
}

/** The key of two users' relations, whoever is named first. */
export function pairOf(a: string, b: string): string {
  return isLow(a, b) ? `${a} ${b}` : `${b} ${a}`;
}

/** Whether the first of two ids is the smaller one. */
export function isLow(id: string, other: string): boolean {
  return id.length === other.length ? id < other : id.length < other.length;
}

/** The relation of a follower to a followee, from the row of the two. */
export function relationOf(row: Row<typeof relations> | null, follower: string, followee: string): Relation {
  if (row === null) return relationIn([]);
  const { lowFollows, lowSince, lowAt, lowTurn, lowImported } = row;
  const { highFollows, highSince, highAt, highTurn, highImported } = row;
  const stored = isLow(follower, followee)
    ? { follows: lowFollows, since: lowSince, at: lowAt, turn: lowTurn, imported: lowImported }
    : { follows: highFollows, since: highSince, at: highAt, turn: highTurn, imported: highImported };
  return relationIn([stored]);
}

/** The relation in what was read of it: rows of nulls where there is none. */
export function relationIn(rows: readonly object[]): Relation {
  const row = (rows[0] ?? {}) as { readonly [K in keyof Relation]?: Relation[K] | null };
  return {
    follows: row.follows ?? false,
    since: row.since ?? null,
    at: row.at ?? null,
    turn: row.turn ?? 0,
    imported: row.imported ?? false,
  };
}

/** The relation of a follower to a followee as it is stored. */
export async function relationTo(load: Load, follower: string, followee: string): Promise<Relation> {
  const row = await load(relations.get, { pair: pairOf(follower, followee) });
  return relationOf(row, follower, followee);
}

/** The row of an imported relation. */
export function importedRelation(follower: string, followee: string, since: Date) {
  const pair = pairOf(follower, followee);
  return isLow(follower, followee)
    ? { pair, lowFollows: true, lowSince: since, lowAt: since, lowImported: true }
    : { pair, highFollows: true, highSince: since, highAt: since, highImported: true };
}

/**
 * As of when, in microseconds, something is written that a relation brings with it: what a later turn of the relation
 * writes or removes wins, in whatever order the writes come. `moment` is when what is written came to be.
 */
export function timeOf({ at, turn }: Pick<Relation, 'at' | 'turn'>, moment = new Date(0)): number {
  return Math.max(Number(at), Number(moment), 1) * 1000 + Math.min(turn, 999);
}
