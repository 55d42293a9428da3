import type { Row } from '../kit/cassandra/table';
import type { Load } from '../kit/data/load';
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
  /**
   * Whether the tweets of this one come to parts of the months of the follower's timeline: since the follower followed
   * many when it began. Once it is so it stays so, so that it is known where the tweets may be.
   */
  readonly parted: boolean;
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
  const stored = isLow(follower, followee)
    ? {
        follows: row.lowFollows,
        since: row.lowSince,
        at: row.lowAt,
        turn: row.lowTurn,
        imported: row.lowImported,
        parted: row.lowParted,
      }
    : {
        follows: row.highFollows,
        since: row.highSince,
        at: row.highAt,
        turn: row.highTurn,
        imported: row.highImported,
        parted: row.highParted,
      };
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
    parted: row.parted ?? false,
  };
}

/** The relation of a follower to a followee as it is stored. */
export async function relationTo(load: Load, follower: string, followee: string): Promise<Relation> {
  const row = await load(relations.get, { pair: pairOf(follower, followee) });
  return relationOf(row, follower, followee);
}

/** The row of an imported relation. One that is not parted may be so already: nothing is said of it. */
export function importedRelation(follower: string, followee: string, since: Date, parted: boolean) {
  const pair = pairOf(follower, followee);
  const saidParted = parted || null;
  return isLow(follower, followee)
    ? { pair, lowFollows: true, lowSince: since, lowAt: since, lowImported: true, lowParted: saidParted }
    : {
        pair,
        highFollows: true,
        highSince: since,
        highAt: since,
        highImported: true,
        highParted: saidParted,
      };
}

/**
 * As of when, in microseconds, something is written that a relation brings with it: what a later turn of the relation
 * writes or removes wins, in whatever order the writes come. `moment` is when what is written came to be.
 */
export function timeOf({ at, turn }: Pick<Relation, 'at' | 'turn'>, moment = new Date(0)): number {
  return Math.max(Number(at), Number(moment), 1) * 1000 + Math.min(turn, 999);
}
