import type { Client } from './client';
import { chunks } from './compare-tweets';
import type { Differences } from './differences';
import { seenPost, whyHidden } from './hidden';
import { inParallel } from './in-parallel';
import { peopleByIds, tweetsByIds } from './operations';
import type { World } from './world';

/**
 * Compares, for every viewer, which tweets are shown, and the fields that say what the viewer likes, shares, bookmarks, follows, blocks and
 * mutes, and who follows and blocks the viewer.
 */
export async function compareViewers(
  world: World,
  callers: ReadonlyMap<string, Client>,
  differences: Differences,
): Promise<void> {
  await inParallel(callers, async ([username, client]) => {
    await compareTweetsFor(world, username, client, differences);
    await comparePeopleFor(world, username, client, differences);
  });
}

async function compareTweetsFor(
  { model }: World,
  username: string,
  client: Client,
  differences: Differences,
): Promise<void> {
  for (const chunk of chunks([...model.posts.values()])) {
    const views = await client.ask(tweetsByIds, { ids: chunk.map(({ id }) => id) });
    chunk.forEach((post, index) => {
      const { tweetId } = post;
      const view = views[index];
      const got = view && {
        liked: view.viewerHasLiked,
        shared: view.viewerHasShared,
        bookmarked: view.viewerHasBookmarked,
      };
      const isHidden = whyHidden(model, username, seenPost(post), 'DIRECT') !== null;
      const expected = isHidden
        ? null
        : {
            liked: model.likes.has(username, tweetId),
            shared: model.shares.has(username, tweetId),
            bookmarked: model.bookmarksOf(username).has(tweetId),
          };
      differences.same(`${tweetId} for ${username}`, got, expected);
    });
  }
}

async function comparePeopleFor(
  { model }: World,
  username: string,
  client: Client,
  differences: Differences,
): Promise<void> {
  const { hidden } = model;
  const people = [...model.people.values()];
  const views = await client.ask(peopleByIds, { ids: people.map(({ id }) => id) });
  people.forEach(({ username: other }, index) => {
    const view = views[index];
    const got = view && {
      following: view.viewerIsFollowing,
      followed: view.isFollowingViewer,
      blocking: view.viewerIsBlocking,
      blocked: view.isBlockingViewer,
      muting: view.viewerIsMuting,
    };
    const mute = hidden.mutesOf(username).get(other);
    const expected = {
      following: model.follows.has(username, other),
      followed: model.follows.has(other, username),
      blocking: hidden.blocks.has(username, other),
      blocked: hidden.blocks.has(other, username),
      muting: mute !== undefined && !(mute.until !== null && mute.until <= Date.now()),
    };
    differences.same(`${other} for ${username}`, got, expected);
  });
}
