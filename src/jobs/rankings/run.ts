import type { FollowerPosition } from '../../write/timeline/author-pages';
import type { RankedUser } from '../../features/ranking/best';

/** The state of rankings that are being taken, from which another server can continue. */
export interface RankingRun {
  readonly takenAt: Date;
  /** The top accounts. Their followers are written to `ranking_pairs`, one account after another. */
  readonly accounts: readonly RankedUser[];
  /** The index of the account whose followers are being written. */
  readonly account: number;
  /** The last of its followers that was written; null if none was. */
  readonly place: FollowerPosition | null;
  /** The shard of the pairs that is being counted. */
  readonly shard: number;
  /** The top followers found so far. */
  readonly followers: readonly RankedUser[];
  /** How many pairs of account and follower have been written, plus how many have been counted. */
  readonly done: number;
}

/** The state at the beginning. */
export function createRun(takenAt: Date, accounts: readonly RankedUser[]): RankingRun {
  return { takenAt, accounts, account: 0, place: null, shard: 0, followers: [], done: 0 };
}

/** How many pairs of account and follower there are. */
export function pairsIn({ accounts }: RankingRun): number {
  return accounts.reduce((sum, { score }) => sum + score, 0);
}

/** About how many pairs a shard has. */
const PAIRS_PER_SHARD = 20_000;

/** How many shards the pairs are split into, by follower: an odd number, because ids are often multiples of powers of two. */
export function countShards(run: RankingRun): number {
  return 2 * Math.floor(pairsIn(run) / PAIRS_PER_SHARD / 2) + 1;
}

/** Parses a run that was stored with `JSON.stringify`. */
export function parseRun(text: string): RankingRun {
  return JSON.parse(text, (key, value: unknown) =>
    typeof value === 'string' && (key === 'takenAt' || key === 'followedAt') ? new Date(value) : value,
  ) as RankingRun;
}
