import type { relations } from '../../features/follow/follow.table';
import { joinPair, relationBetween, type Relation } from '../../features/follow/relation';
import { blockIn, type Block } from '../../features/follow/block';
import { decideUntilWritten, type Decision } from '../../kit/cassandra/decide';
import type { Row } from '../../kit/cassandra/table';
import { shortTask, type DeclaredHandler } from '../../kit/work/handler';
import { indexMoved, storeRelation } from '../follow/set-following';
import type { WriteServices } from '../write-services';
import { storeBlock } from './hidden-rows';

type RelationRow = Row<typeof relations>;

const SIDES = ['low', 'high'] as const;
type Side = (typeof SIDES)[number];

const columns = ['follows', 'since', 'at', 'version', 'imported', 'blocks', 'blocks_at'] as const;
const selected = SIDES.flatMap((side) =>
  columns.map((column) => `${side}_${column} AS "${side}${camelCase(column)}"`),
);
const read = `SELECT pair, ${selected.join(', ')} FROM relations WHERE pair = ?`;

/** Changes whether one side blocks the other, and ends the follows of some sides, unless anything changed meanwhile. */
function changeOf(blocker: Side, ending: readonly Side[]): string {
  const ends = ending.map((side) => `, ${side}_follows = ?, ${side}_at = ?, ${side}_version = ?`);
  const conditions = SIDES.map((side) => `${side}_at = ? AND ${side}_blocks_at = ?`).join(' AND ');
  return `UPDATE relations SET ${blocker}_blocks = ?, ${blocker}_blocks_at = ?${ends.join('')} WHERE pair = ? IF ${conditions}`;
}

function camelCase(column: string): string {
  return column === 'blocks_at' ? 'BlocksAt' : `${column.charAt(0).toUpperCase()}${column.slice(1)}`;
}

/** A block after its decision, and the follows that it has ended. They include follows that never were, so that no import brings them. */
interface Decided {
  /** Null if there never was one. */
  readonly block: Block | null;
  readonly hasChanged: boolean;
  readonly ended: readonly Follow[];
}

interface Follow {
  readonly follower: string;
  readonly followee: string;
  readonly relation: Relation;
}

/**
 * Makes one user block another, or not. A block ends the follows of both at once; both are decided in the row of the two, so that of a
 * block and a follow at one moment the block wins. Unblocking brings no follow back, and neither does an import. Repeating it changes
 * nothing. Resolves to whether anything changed. `at`: when that was, if it was decided elsewhere; it has no effect if the block has
 * changed since.
 */
export async function setBlocked(
  writeServices: WriteServices,
  blocker: string,
  blocked: string,
  blocks: boolean,
  at?: Date,
): Promise<boolean> {
  const { database, outbox } = writeServices;
  const { hasChanged } = await outbox.enqueueAndRun(
    'block',
    { blocker, blocked },
    async () => {
      const decided = await decideBlock(writeServices, blocker, blocked, blocks, at);
      await Promise.all([
        decided.block && storeBlock(database, decided.block),
        storeEnded(writeServices, decided.ended.filter(hasBegun)),
      ]);
      return decided;
    },
    {
      async afterwards({ hasChanged, ended }) {
        // What had been decided before has a task of its own.
        if (!hasChanged) return;
        await storeEnded(
          writeServices,
          ended.filter((follow) => !hasBegun(follow)),
        );
        await clearTimelines(writeServices, ended.filter(hasBegun));
      },
    },
  );
  return hasChanged;
}

/** Whether there ever was a follow. */
function hasBegun({ relation }: Follow): boolean {
  return relation.since !== null;
}

/** Whether a mutation has ended a follow, or said that there is none. */
function hasEnded({ relation }: Follow): boolean {
  return !relation.follows && relation.version > 0;
}

async function storeEnded(writeServices: WriteServices, ended: readonly Follow[]): Promise<void> {
  const moved = await Promise.all(
    ended.map(({ follower, followee, relation }) =>
      storeRelation(writeServices, follower, followee, relation),
    ),
  );
  await indexMoved(writeServices, moved.flat());
}

/** Leaves the tweets of ended follows to tasks, which remove them from the timelines. */
async function clearTimelines(
  { outbox }: WriteServices,
  ended: readonly Pick<Follow, 'follower' | 'followee'>[],
): Promise<void> {
  for (const { follower, followee } of ended) await outbox.leaveToTask('follow', { follower, followee });
}

/** Completes a block, or its end, that was interrupted. */
export function blockHandler(writeServices: WriteServices): DeclaredHandler {
  const { database } = writeServices;
  const work = { rows: 20, person: ({ blocker }: Readonly<Record<string, string>>) => blocker };
  return shortTask(work, async ({ blocker = '', blocked = '' }) => {
    const [row] = (await database.readSerial(read, [joinPair(blocker, blocked)])) as RelationRow[];
    const block = blockIn(row ?? null, blocker, blocked);
    if (row === undefined || block === null) return;
    await storeBlock(database, block);
    const ended = followsOf(row, blocker, blocked).filter(hasEnded);
    // These tasks also store the rows of lists and counts of the follows, which have ended even if the block has, too, meanwhile.
    await clearTimelines(writeServices, ended);
  });
}

/** The relations of two users in both directions. */
function followsOf(row: RelationRow | null, one: string, other: string): Follow[] {
  return [[one, other] as const, [other, one] as const].map(([follower, followee]) => ({
    follower,
    followee,
    relation: relationBetween(row, follower, followee),
  }));
}

function decideBlock(
  { database }: WriteServices,
  blocker: string,
  blocked: string,
  blocks: boolean,
  past?: Date,
): Promise<Decided> {
  const pair = joinPair(blocker, blocked);
  const now = new Date();
  /** The time that the last attempt has written, whose outcome may be unknown. */
  let tried: Date | null = null;
  return decideUntilWritten(database, { cql: read, params: [pair] }, (rows): Decision<Decided> => {
    const row = (rows as RelationRow[])[0] ?? null;
    const before = blockIn(row, blocker, blocked);
    const follows = followsOf(row, blocker, blocked);
    if (tried !== null && before?.blocks === blocks && Number(before.at) === Number(tried))
      return {
        writes: [],
        result: { block: before, hasChanged: true, ended: blocks ? follows.filter(hasEnded) : [] },
      };
    const isOutdated = past !== undefined && before !== null && before.at >= past;
    if (isOutdated || (before?.blocks ?? false) === blocks) {
      // The call that decided this may have been cut off before it stored what it ended.
      const ended = before?.blocks === true ? follows.filter(hasEnded) : [];
      return { writes: [], result: { block: before, hasChanged: false, ended } };
    }
    const at = past ?? later(before?.at ?? null, now);
    tried = at;
    const ended = (blocks ? follows : [])
      .filter(({ relation }) => relation.follows || relation.version === 0)
      .map(({ follower, followee, relation }) => ({
        ...{ follower, followee },
        relation: {
          ...{ ...relation, follows: false },
          at: later(relation.at, now),
          version: relation.version + 1,
        },
      }));
    const sideOf = (userId: string): Side => (userId === pair.split(' ')[0] ? 'low' : 'high');
    const query = changeOf(
      sideOf(blocker),
      ended.map(({ follower }) => sideOf(follower)),
    );
    const params = [
      ...[blocks, at],
      ...ended.flatMap(({ relation }) => [false, relation.at, relation.version]),
      ...[pair, row?.lowAt ?? null, row?.lowBlocksAt ?? null, row?.highAt ?? null, row?.highBlocksAt ?? null],
    ];
    const result = { block: { blocker, blocked, blocks, at }, hasChanged: true, ended };
    return { writes: [{ query, params }], result };
  });
}

/** Returns the present time, or the moment after the last change if a server with another clock made that. */
function later(last: Date | null, now: Date): Date {
  return last !== null && last >= now ? new Date(Number(last) + 1) : now;
}
