import type { Client } from './client';
import { chunks } from './compare-tweets';
import type { Differences } from './differences';
import { inParallel } from './in-parallel';
import { peopleByIds, tweetsByIds } from './operations';
import type { World } from './world';

/** Compares, for every viewer, the fields that say what they like, share and follow, and who follows them. */
export async function compareViewers(
  { model }: World,
  callers: ReadonlyMap<string, Client>,
  differences: Differences,
): Promise<void> {
  const posts = [...model.posts.values()];
  await inParallel(callers, async ([username, client]) => {
    for (const chunk of chunks(posts)) {
      const views = await client.ask(tweetsByIds, { ids: chunk.map(({ id }) => id) });
      chunk.forEach(({ tweetId }, index) => {
        const view = views[index];
        const got = view && { liked: view.viewerHasLiked, shared: view.viewerHasShared };
        const expected = {
          liked: model.likes.has(username, tweetId),
          shared: model.shares.has(username, tweetId),
        };
        differences.same(`${tweetId} for ${username}`, got, expected);
      });
    }
    const people = [...model.people.values()];
    const views = await client.ask(peopleByIds, { ids: people.map(({ id }) => id) });
    people.forEach((other, index) => {
      const view = views[index];
      const got = view && { following: view.viewerIsFollowing, followed: view.isFollowingViewer };
      const expected = {
        following: model.follows.has(username, other.username),
        followed: model.follows.has(other.username, username),
      };
      differences.same(`${other.username} for ${username}`, got, expected);
    });
  });
}
