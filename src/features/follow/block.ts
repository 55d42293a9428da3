import type { Row } from '../../kit/cassandra/table';
import type { Load } from '../../kit/reads/load';
import { blockedBetween } from '../hidden/blocked';
import { relations } from './follow.table';
import { isLow, joinPair } from './relation';

type RelationRow = Pick<Row<typeof relations>, 'lowBlocks' | 'lowBlocksAt' | 'highBlocks' | 'highBlocksAt'>;

/** Whether a user blocks another one, and when that last changed. */
export interface Block {
  readonly blocker: string;
  readonly blocked: string;
  readonly blocks: boolean;
  readonly at: Date;
}

/** Whether a user blocks another one, from the row of the two; null if it never did. */
export function blockIn(row: RelationRow | null, blocker: string, blocked: string): Block | null {
  if (row === null) return null;
  const [blocks, at] = isLow(blocker, blocked)
    ? [row.lowBlocks, row.lowBlocksAt]
    : [row.highBlocks, row.highBlocksAt];
  return at === null ? null : { blocker, blocked, blocks: blocks === true, at };
}

/** Whether either of two users blocks the other, as it is stored now; or whether a block of either fulfils another condition. */
export async function isBlocked(
  load: Load,
  one: string,
  other: string,
  holds: (block: Block) => boolean = ({ blocks }) => blocks,
): Promise<boolean> {
  if (one === other) return false;
  const row = await load(relations.get, { pair: joinPair(one, other) });
  return [blockIn(row, one, other), blockIn(row, other, one)].some((block) => block !== null && holds(block));
}

/** Whether a block stood at a moment. It was the other way before its last change; changes before that are not known. */
export function stoodAt(moment: Date): (block: Block) => boolean {
  return ({ blocks, at }) => (at <= moment ? blocks : !blocks);
}

/** Throws `FORBIDDEN` with the reason `BLOCKED` if either of two users blocks the other. */
export async function requireNoBlock(load: Load, one: string, other: string): Promise<void> {
  if (await isBlocked(load, one, other)) throw blockedBetween();
}
