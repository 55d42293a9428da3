import { z } from 'zod';
import type { Random } from '../../src/kit/base/random';
import type { Actor } from './actor';
import type { Operation } from './api';
import { answered } from './client';
import { chance, pickOne } from './random';
import { isBlocked } from './refused';
import { must } from './violation';

/** The folders of all people; an empty name stands for none. */
const FOLDERS = ['', 'later', 'ideas', 'Zoë'];

const bookmarkTweet: Operation<string> = {
  name: 'bookmarkTweet',
  source:
    'mutation ($id: ID!, $folder: String) { payload: bookmarkTweet(id: $id, folder: $folder) { tweet { tweetId } } }',
  data: z
    .object({ payload: z.object({ tweet: z.object({ tweetId: z.string() }) }) })
    .transform(({ payload }) => payload.tweet.tweetId),
};

const removeBookmark: Operation<string> = {
  name: 'removeBookmark',
  source: 'mutation ($id: ID!) { payload: removeBookmark(id: $id) { tweetId } }',
  data: z.object({ payload: z.object({ tweetId: z.string() }) }).transform(({ payload }) => payload.tweetId),
};

/** The bookmarks of the caller: a page, and the folders. */
export const ownBookmarks = {
  name: 'bookmarks',
  source: `query ($after: String) { viewer { bookmarkFolders { name count }
    bookmarks(first: 100, after: $after) { edges { tweetId folder hiddenReason node { tweetId } } pageInfo { hasNextPage endCursor } } } }`,
  data: z
    .object({
      viewer: z.object({
        bookmarkFolders: z.array(z.object({ name: z.string(), count: z.int() })),
        bookmarks: z.object({
          edges: z.array(
            z.object({
              tweetId: z.string(),
              folder: z.string().nullable(),
              hiddenReason: z.string().nullable(),
              node: z.object({ tweetId: z.string() }).nullable(),
            }),
          ),
          pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
        }),
      }),
    })
    .transform(({ viewer }) => viewer),
};

/** Bookmarks a tweet or share, which may be in another folder already. */
export async function bookmark(actor: Actor, random: Random): Promise<void> {
  const { world, person, client } = actor;
  const target = world.pickTarget(random);
  if (target === null) return;
  const folder = pickOne(random, FOLDERS) ?? '';
  const variables = { id: target.id, folder: folder === '' ? null : folder };
  const { tweetId } = target.original;
  const settled = await client.settle(bookmarkTweet, variables);
  const isGone = settled.kind === 'refusal' && settled.code === 'NOT_FOUND' && world.mayBeGone(target);
  if (isGone || isBlocked(world, person.username, target.original.author, settled)) {
    world.noteAct(person.username, `bookmarkTweet ${tweetId}: ${settled.code}`, settled);
    // An attempt without an answer may have bookmarked the tweet before it was deleted or hidden.
    await remove(actor, target.id, tweetId);
    return;
  }
  const { data } = answered(bookmarkTweet, variables, settled);
  world.noteAct(person.username, `bookmarkTweet ${tweetId} in ${folder}`, settled);
  must('The payload must have the bookmarked tweet', data === tweetId, data);
  world.model.bookmarksOf(person.username).set(tweetId, folder);
}

/** Removes a bookmark, which may not be there. */
export async function unmark(actor: Actor, random: Random): Promise<void> {
  const { world, person } = actor;
  const own = [...world.model.bookmarksOf(person.username).keys()];
  const tweetId = chance(random, 0.85) ? pickOne(random, own) : undefined;
  const marked = [...world.ever.values()].find(
    ({ original, sharer }) => sharer === null && original.tweetId === tweetId,
  );
  const target = marked ?? world.pickTarget(random);
  if (target !== null && target.sharer === null) await remove(actor, target.id, target.original.tweetId);
}

async function remove({ world, person, client }: Actor, id: string, tweetId: string): Promise<void> {
  const settled = await client.settle(removeBookmark, { id });
  answered(removeBookmark, { id }, settled);
  world.noteAct(person.username, `removeBookmark ${tweetId}`, settled);
  world.model.bookmarksOf(person.username).delete(tweetId);
}
