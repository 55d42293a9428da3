import { bookmarks } from '../../features/bookmark/bookmark.table';
import { checkedFolder } from '../../features/bookmark/folders';
import { HIDDEN, hiddenByUser, MAX_HIDDEN_ROWS, threadTarget } from '../../features/hidden/hidden.table';
import { articleHeads, comments } from '../../features/news/news.table';
import { keyOfMuted } from '../../features/hidden/sight/muted-words';
import { tweets } from '../../features/tweet/tweet.table';
import { isBadInput } from '../../kit/base/errors';
import { timeOfId } from '../../kit/base/snowflake';
import { createLoad, readMany } from '../../kit/reads/load';
import { tallies, tallyShardOf } from '../../kit/work/tally';
import { decideBookmark, questionOf } from '../../write/bookmark/decide-bookmark';
import { storeBookmark } from '../../write/bookmark/set-bookmark';
import { setBlocked } from '../../write/hidden/set-blocked';
import {
  mute,
  muteThread,
  muteWords,
  readHidden,
  requireRoomForBlock,
  wordIdOf,
} from '../../write/hidden/set-muted';
import type { WriteServices } from '../../write/write-services';
import type { Line } from '../records/lines';
import { RowError } from '../records/row';
import { storeLikes } from '../store/likes';
import { listNews, storeNews } from '../store/news';
import type { Outcome } from '../store/outcome';
import { parseLine, type FileName, type LineOf } from './lines';
import { idsIn, usernamesOf, whyNotHere } from './records';

/**
 * Stores the acts of a person that lines of a file stand for. Resolves to the outcome of each. For an unchanged like, bookmark, article or
 * comment, this stores again the rows that follow from it, because an import that was killed may not have stored them.
 */
type StoreActs = (services: WriteServices, userId: string, batch: readonly Line[]) => Promise<Outcome[]>;

/** A file of acts. */
export type ActFile = Exclude<FileName, 'profile' | 'tweets' | 'following'>;

/** Whether a name is that of a file of acts. */
export function isActFile(name: string): name is ActFile {
  return name in acts;
}

/** Decides each line, one after another. `store` throws a `RowError`, or `BAD_USER_INPUT`, for one that cannot be taken. */
async function eachLine<N extends ActFile>(
  batch: readonly Line[],
  name: N,
  store: (line: LineOf<N>) => Promise<'stored' | 'unchanged'>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const { text, problem } of batch) {
    try {
      if (problem !== undefined) throw new RowError(problem);
      outcomes.push(await store(parseLine(name, text)));
    } catch (error) {
      if (!(error instanceof RowError) && !isBadInput(error)) throw error;
      outcomes.push({ refused: error.message });
    }
  }
  return outcomes;
}

const keysOf = <K extends string>(name: K, ids: readonly string[]) =>
  ids.map((id) => ({ [name]: id }) as Record<K, string>);

/** The ids of the tweets of a batch that are here. */
async function tweetsHere({ database }: WriteServices, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const found = await readMany(database, tweets.get, keysOf('tweetId', ids));
  return new Set(found.flatMap((tweet) => tweet?.tweetId ?? []));
}

const storeLikeLines: StoreActs = async (services, userId, batch) => {
  const { database } = services;
  const ids = idsIn(batch, 'likes', ({ tweetId }) => tweetId);
  const here = await tweetsHere(services, ids);
  const found = await readMany(
    database,
    tallies.get,
    ids.map((owner) => ({ owner, shard: tallyShardOf(userId), member: userId, list: 'likes' })),
  );
  const last = new Map(
    found.flatMap((row) => (row?.at ? [[row.owner, { at: row.at, present: row.present === true }]] : [])),
  );
  const stored = new Map<string, Date>();
  const outcomes = await eachLine(batch, 'likes', async ({ tweetId, likedAt }) => {
    if (!here.has(tweetId)) throw new RowError(`the tweet is not here: ${tweetId}`);
    const before = last.get(tweetId);
    // An act that was taken back here since stays so.
    if (before !== undefined && before.at > likedAt) return 'unchanged';
    const isKnown = Number(before?.at) === Number(likedAt);
    if (isKnown && before?.present !== true) return 'unchanged';
    last.set(tweetId, { at: likedAt, present: true });
    stored.set(tweetId, likedAt);
    return isKnown ? 'unchanged' : 'stored';
  });
  await storeLikes(
    database,
    Array.from(stored, ([tweetId, likedAt]) => [{ tweetId, userId, likedAt }]),
  );
  return outcomes;
};

const storeBookmarkLines: StoreActs = async (services, userId, batch) => {
  const { database, worker } = services;
  const ids = idsIn(batch, 'bookmarks', ({ tweetId }) => tweetId);
  const found = await readMany(
    database,
    bookmarks.get,
    ids.map((tweetId) => ({ userId, tweetId })),
  );
  const known = new Map(found.flatMap((row) => (row?.changedAt ? [[row.tweetId, row]] : [])));
  const seen = new Set(known.keys());
  const store = storeBookmark.bind(null, services);
  return eachLine(batch, 'bookmarks', async ({ tweetId, bookmarkedAt, folder }) => {
    const before = known.get(tweetId);
    if (before?.isPresent === true) await store(before);
    if (seen.has(tweetId)) return 'unchanged';
    if (tweetId === '0') throw new RowError('no tweet has the id 0');
    const wish = { folder: folder === '' ? '' : checkedFolder(folder) };
    const deciding = { database, nextId: () => worker.nextId(), now: bookmarkedAt };
    const row = await decideBookmark(deciding, questionOf(userId, tweetId), wish, store);
    if (row !== null) await store(row);
    seen.add(tweetId);
    return 'stored';
  });
};

const storeArticleLines: StoreActs = async ({ database }, authorId, batch) => {
  const ids = idsIn(batch, 'articles', ({ articleId }) => articleId);
  const found = await readMany(database, articleHeads.get, keysOf('articleId', ids));
  const authors = new Map(found.flatMap((row) => (row ? [[row.articleId, row.authorId]] : [])));
  return eachLine(batch, 'articles', async (line) => {
    const { articleId, publishedAt } = line;
    requireOwn('article', authors.get(articleId), authorId);
    requireTimeOf(articleId, publishedAt);
    if (authors.has(articleId)) {
      await listNews(database, { articles: [{ articleId, authorId }], comments: [] });
      return 'unchanged';
    }
    authors.set(articleId, authorId);
    await storeNews(database, { articles: [{ ...line, authorId, tags: line.tags ?? [] }], comments: [] });
    return 'stored';
  });
};

const storeCommentLines: StoreActs = async ({ database }, authorId, batch) => {
  const ids = idsIn(batch, 'comments', ({ commentId }) => commentId);
  const articleIds = idsIn(batch, 'comments', ({ articleId }) => articleId);
  const [found, about] = await Promise.all([
    readMany(database, comments.get, keysOf('commentId', ids)),
    readMany(database, articleHeads.get, keysOf('articleId', articleIds)),
  ]);
  const known = new Map(found.flatMap((row) => (row ? [[row.commentId, row]] : [])));
  const authorsOf = new Map(about.flatMap((row) => (row ? [[row.articleId, row.authorId]] : [])));
  return eachLine(batch, 'comments', async (line) => {
    const { commentId, articleId, createdAt } = line;
    const before = known.get(commentId);
    requireOwn('comment', before?.authorId, authorId);
    requireTimeOf(commentId, createdAt);
    if (!authorsOf.has(articleId)) throw new RowError(`the article is not here: ${articleId}`);
    if (before !== undefined) {
      await listNews(database, { articles: [], comments: [before] }, authorsOf);
      return 'unchanged';
    }
    const comment = { ...line, authorId };
    known.set(commentId, comment);
    await storeNews(database, { articles: [], comments: [comment] }, authorsOf);
    return 'stored';
  });
};

function requireOwn(what: string, authorId: string | undefined, userId: string): void {
  if (authorId !== undefined && authorId !== userId)
    throw new RowError(`the ${what} of this id is by somebody else here: ${authorId}`);
}

/** The lists of news are in the order of ids, which are made of times. */
function requireTimeOf(id: string, time: Date): void {
  if (Number(timeOfId(id)) !== Number(time))
    throw new RowError(`the time must be that of the id, but got: ${time.toISOString()}`);
}

/** Returns the keys of the rows that hide something from a person, also of those that have ended. */
async function knownHidden({ database }: WriteServices, viewerId: string): Promise<Set<string>> {
  const rows = await createLoad(database)(hiddenByUser.page, { viewerId, limit: MAX_HIDDEN_ROWS });
  return new Set(rows.map(({ kind, targetId }) => `${kind} ${targetId}`));
}

const storeBlockLines: StoreActs = async (services, userId, batch) => {
  const known = await knownHidden(services, userId);
  const named = await usernamesOf(
    services.database,
    idsIn(batch, 'blocks', (line) => line.userId),
  );
  return eachLine(batch, 'blocks', async ({ blockedAt, ...person }) => {
    requireOther(named, person, userId);
    if (known.has(`${HIDDEN.block} ${person.userId}`)) return 'unchanged';
    requireRoomForBlock(await readHidden(services.database, userId), person.userId);
    return (await setBlocked(services, userId, person.userId, true, blockedAt)) ? 'stored' : 'unchanged';
  });
};

const storeMuteLines: StoreActs = async (services, userId, batch) => {
  const known = await knownHidden(services, userId);
  const named = await usernamesOf(
    services.database,
    idsIn(batch, 'mutes', (line) => line.userId),
  );
  return eachLine(batch, 'mutes', async ({ mutedAt, until, scope, ...person }) => {
    requireOther(named, person, userId);
    if (known.has(`${HIDDEN.mute} ${person.userId}`) || hasEnded(until)) return 'unchanged';
    await mute(services.database, userId, person.userId, { until, scope, at: mutedAt });
    return 'stored';
  });
};

const storeWordLines: StoreActs = async (services, userId, batch) => {
  const known = await knownHidden(services, userId);
  return eachLine(batch, 'muted-words', async ({ text, mutedAt, until, where, exceptFollowed }) => {
    const key = keyOfMuted(text);
    if (known.has(`${HIDDEN.word} ${wordIdOf(key)}`) || hasEnded(until)) return 'unchanged';
    const word = { text, key, until, scope: where, exceptFollowed, at: mutedAt };
    await muteWords(services.database, userId, word);
    return 'stored';
  });
};

function requireOther(
  named: ReadonlyMap<string, string>,
  person: { readonly userId: string; readonly username?: string | undefined },
  userId: string,
): void {
  const reason = whyNotHere(named, person);
  if (reason !== null) throw new RowError(reason);
  if (person.userId === userId) throw new RowError('nobody blocks or mutes oneself');
}

function hasEnded(until: Date | null): boolean {
  return until !== null && Number(until) <= Date.now();
}

const storeThreadLines: StoreActs = async (services, userId, batch) => {
  const { database } = services;
  const here = await tweetsHere(
    services,
    idsIn(batch, 'muted-threads', ({ tweetId }) => tweetId),
  );
  const known = await knownHidden(services, userId);
  return eachLine(batch, 'muted-threads', async ({ tweetId: rootId, mutedAt }) => {
    if (!here.has(rootId)) throw new RowError(`the tweet is not here: ${rootId}`);
    if (known.has(`${HIDDEN.thread} ${threadTarget(rootId)}`)) return 'unchanged';
    return (await muteThread(database, userId, rootId, mutedAt)) ? 'stored' : 'unchanged';
  });
};

/** The functions that store the acts of each file, in this order: a block comes last, because it forbids other acts. */
export const acts: Readonly<Record<ActFile, StoreActs>> = {
  likes: storeLikeLines,
  bookmarks: storeBookmarkLines,
  articles: storeArticleLines,
  comments: storeCommentLines,
  mutes: storeMuteLines,
  'muted-words': storeWordLines,
  'muted-threads': storeThreadLines,
  blocks: storeBlockLines,
};
