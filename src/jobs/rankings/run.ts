import type { FollowerPosition } from '../../write/timeline/walk';
import type { Placed } from '../../ranking/best';

/** Rankings that are being taken: how far that is. */
export interface RankingRun {
  readonly takenAt: Date;
  /** The top accounts; their followers are written down one account after another. */
  readonly accounts: readonly Placed[];
  /** At which of them that is, by its place, and how far in its followers. */
  readonly account: number;
  readonly place: FollowerPosition | null;
  /** Which part of what was written down is being counted, and the top followers so far. */
  readonly part: number;
  readonly followers: readonly Placed[];
  /** How many pairs of account and follower were written down, and counted: one after the other. */
  readonly done: number;
}

/** A run that begins. */
export function runOf(takenAt: Date, accounts: readonly Placed[]): RankingRun {
  return { takenAt, accounts, account: 0, place: null, part: 0, followers: [], done: 0 };
}

/** How many pairs of account and follower there are. */
export function pairsIn({ accounts }: RankingRun): number {
  return accounts.reduce((sum, { score }) => sum + score, 0);
}

/** How many pairs a part may hold, more or less. */
const PAIRS_PER_SHARD = 20_000;

/** Into how many parts the followers are cut: an odd number, since ids are often multiples of powers of two. */
export function partsOf(run: RankingRun): number {
  return 2 * Math.floor(pairsIn(run) / PAIRS_PER_SHARD / 2) + 1;
}

/** Reads a run that was written by `JSON.stringify`. */
export function parseRun(text: string): RankingRun {
  return JSON.parse(text, (key, value: unknown) =>
    typeof value === 'string' && (key === 'takenAt' || key === 'followedAt') ? new Date(value) : value,
  ) as RankingRun;
}
