import { bookmarkIn, bookmarkLists, bookmarksInFolder } from '../../features/bookmark/bookmark.lists';
import { asError } from '../../kit/base/errors';
import { isRunning, runShared } from '../../kit/base/shared-runs';
import { removalsFrom, writesFrom } from '../../kit/lists/source';
import { shortTask, type DeclaredHandler } from '../../kit/work/handler';
import { putAll } from '../../kit/writes/row-writer';
import type { WriteServices } from '../write-services';
import {
  decideBookmark,
  isFulfilled,
  questionOf,
  rowOf,
  type DecidedBookmark,
  type Wish,
} from './decide-bookmark';

/**
 * Bookmarks a tweet in a folder, moves the bookmark there, or removes it. Repeating it changes nothing. Resolves to whether anything
 * changed. A removal and a move leave tombstones in lists, so both take from the quota of deletions. Throws `BAD_USER_INPUT` for too many
 * bookmarks or folders, and `RATE_LIMITED`.
 */
export async function setBookmark(
  writeServices: WriteServices,
  userId: string,
  tweetId: string,
  wish: Wish,
): Promise<boolean> {
  const { database, outbox, quotas, worker } = writeServices;
  const nextId = () => worker.nextId();
  const question = questionOf(userId, tweetId);
  const rows = await database.read(question.cql, question.params);
  const before = rowOf(rows, tweetId);
  const began = new Date();
  const clear = (row: DecidedBookmark) => storeBookmark(writeServices, row);
  const change = () =>
    outbox.enqueueAndRun('bookmark', { userId, tweetId }, async () => {
      const turn = `bookmarks ${userId}`;
      const ahead = isRunning(database, turn) ? undefined : Promise.resolve(rows);
      const row = await inTurn(database, turn, () =>
        decideBookmark({ database, nextId }, { ...question, ahead }, wish, clear),
      );
      if (row !== null) await storeBookmark(writeServices, row);
      return row?.changedAt != null && row.changedAt >= began;
    });
  const leavesTombstones = before?.isPresent === true && !isFulfilled(before, wish);
  return quotas.spend(userId, leavesTombstones ? { deletions: 1 } : {}, change, (changed) => changed);
}

/** Runs the decisions of one partition one after the other: at once, all but one of them would fail and be made again. */
async function inTurn<T>(owner: object, key: string, decide: () => Promise<T>): Promise<T> {
  const results = await runShared(owner, key, decide, async (decisions) => {
    const made = new Map<() => Promise<T>, T | Error>();
    for (const one of decisions) made.set(one, await one().catch(asError));
    return made;
  });
  const result = results.get(decide);
  if (result instanceof Error || result === undefined) throw asError(result);
  return result;
}

/** Completes a bookmark, a move or a removal that was interrupted. */
export function bookmarkHandler(writeServices: WriteServices): DeclaredHandler {
  return shortTask({ rows: 10, person: ({ userId }) => userId }, async ({ userId = '', tweetId = '' }) => {
    const { cql, params } = questionOf(userId, tweetId);
    const row = rowOf(await writeServices.database.readSerial(cql, params), tweetId);
    if (row !== null) await storeBookmark(writeServices, row);
  });
}

/** Makes lists equal to what the row of a bookmark says. */
export async function storeBookmark(
  writeServices: Pick<WriteServices, 'bulk'>,
  row: DecidedBookmark,
): Promise<void> {
  const bookmark = bookmarkIn(row);
  if (bookmark === null) return;
  const { isPresent, leftFolderId } = row;
  const left =
    leftFolderId === null ? [] : removalsFrom([bookmarksInFolder], { ...bookmark, folderId: leftFolderId });
  const rows = (isPresent === true ? writesFrom : removalsFrom)(bookmarkLists, bookmark);
  await putAll(writeServices.bulk(), [...left, ...rows]);
}
