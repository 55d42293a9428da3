import { relations } from '../../features/follow/follow.table';
import { blockIn } from '../../features/follow/block';
import { joinPair } from '../../features/follow/relation';
import { HIDDEN, hiddenByUser, MAX_HIDDEN_ROWS } from '../../features/hidden/hidden.table';
import { articlesByUser, commentsByAuthor } from '../../features/news/news.lists';
import { articles, comments } from '../../features/news/news.table';
import type { Database } from '../../kit/cassandra/database';
import { removalOf } from '../../kit/cassandra/write';
import { listPages } from '../../kit/lists/list-pages';
import { createLoad, readMany } from '../../kit/reads/load';
import { putAll } from '../../kit/writes/row-writer';
import { bookmarkExported } from '../../write/bookmark/exported';
import { bookmarkDeletionParts } from '../../write/bookmark/account-deletion';
import type { ExportedPart } from '../../write/exported';
import { hiddenExported } from '../../write/hidden/exported';
import { hiddenDeletionParts } from '../../write/hidden/account-deletion';
import { hasManyBlockers } from '../../write/hidden/hidden-rows';
import { setBlocked } from '../../write/hidden/set-blocked';
import { clear, type DeletionPart } from '../../write/account-deletion';
import { likeExported } from '../../write/like/exported';
import { likeDeletionParts } from '../../write/like/account-deletion';
import { notificationExported } from '../../write/notification/exported';
import { notificationDeletionParts } from '../../write/notification/account-deletion';
import { forgetRecipient, renameActor } from '../../write/notification/rename-actor';
import type { WriteServices } from '../../write/write-services';
import { storeNews } from '../store/news';
import { acts, isActFile } from './acts';

/** The parts of an export that an import takes, in the order of `acts`: a block comes last. Posts and follows have been moved before. */
const moved: readonly ExportedPart[] = [
  ...likeExported,
  ...bookmarkExported,
  ...notificationExported,
  ...hiddenExported.toReversed(),
];
/** The parts that remove the same acts of a person who leaves. */
const removed: readonly DeletionPart[] = [
  ...likeDeletionParts,
  ...bookmarkDeletionParts,
  ...notificationDeletionParts,
  ...hiddenDeletionParts,
];

/**
 * Makes all acts that one user has done here those of another one, as if the first were exported and left, and the second were the import
 * of that export. Acts that the second has done since stay. A user whom somebody blocks stays blocked.
 */
export async function moveActs(services: WriteServices, from: string, to: string): Promise<void> {
  const { database } = services;
  await moveNews(services, from, to);
  const blocks = await blocksOf(database, from);
  for (const part of moved)
    for await (const { lines } of part.pages(database, from, ''))
      if (isActFile(part.name)) await acts[part.name](services, to, linesIn(lines));
  for (const { blocker, blocked, at } of blocks) {
    if (blocked === from && blocker !== to) await setBlocked(services, blocker, to, true, at);
    await setBlocked(services, blocker, blocked, false);
  }
  const account = { userId: from, issuer: null, subject: null };
  await forgetRecipient(database, from);
  for (const part of removed) for await (const _ of part.remove(services, account, ''));
  for (const { blocker, blocked } of blocks) {
    await putAll(services.bulk(), [
      removalOf(hiddenByUser, { viewerId: blocked, kind: HIDDEN.blocker, targetId: blocker }),
    ]);
    const params = [joinPair(blocker, blocked)];
    await database.compareAndWrite([{ query: `${relations.remove} IF EXISTS`, params }]);
  }
}

function linesIn(lines: Buffer) {
  const texts = lines.toString().split('\n').slice(0, -1);
  return texts.map((text, index) => ({ line: index + 1, text }));
}

/** How many articles, or comments, are moved at a time: each has up to 100 kB. */
const NEWS_AT_ONCE = 50;

interface StandingBlock {
  readonly blocker: string;
  readonly blocked: string;
  readonly at: Date;
}

/** The blocks by a user and of the user. */
async function blocksOf(database: Database, userId: string): Promise<StandingBlock[]> {
  const load = createLoad(database);
  const rows = await load(hiddenByUser.page, { viewerId: userId, limit: MAX_HIDDEN_ROWS });
  const found = rows.flatMap(({ kind, targetId, hiddenAt: at, ended }) => {
    if (kind === HIDDEN.block) return [{ blocker: userId, blocked: targetId, at }];
    if (kind === HIDDEN.blocker && ended !== true) return [{ blocker: targetId, blocked: userId, at }];
    return [];
  });
  return (await hasManyBlockers(database, userId))
    ? [...found, ...(await manyBlocksOf(database, userId))]
    : found;
}

/** The blocks of a user whom so many block that its own rows name none of them. */
async function manyBlocksOf(database: Database, userId: string): Promise<StandingBlock[]> {
  const found: StandingBlock[] = [];
  for await (const row of database.stream(relations.keys.all, [])) {
    const pair = String(row['pair']);
    const [low = '', high = ''] = pair.split(' ');
    if (low !== userId && high !== userId) continue;
    const stored = await createLoad(database)(relations.get, { pair });
    const blocker = low === userId ? high : low;
    const block = blockIn(stored, blocker, userId);
    if (block?.blocks === true) found.push(block);
  }
  return found;
}

/** Makes the articles and comments of one user those of another one. */
async function moveNews(services: WriteServices, from: string, authorId: string): Promise<void> {
  const { database } = services;
  for await (const page of listPages(database, (load) => articlesByUser.list(load, from), NEWS_AT_ONCE)) {
    const found = await readMany(database, articles.get, page);
    const own = found.flatMap((article) => (article ? [{ ...article, authorId }] : []));
    await storeNews(database, { articles: own, comments: [] });
  }
  for await (const page of listPages(database, (load) => commentsByAuthor.list(load, from), NEWS_AT_ONCE)) {
    const found = await readMany(database, comments.get, page);
    const own = found.flatMap((comment) => (comment ? [{ ...comment, authorId }] : []));
    await storeNews(database, { articles: [], comments: own });
    await renameActor(
      database,
      authorId,
      own.map(({ commentId, createdAt }) => ({ id: commentId, createdAt })),
    );
  }
  for (const table of [articlesByUser, commentsByAuthor]) await clear(services, table, from);
}
