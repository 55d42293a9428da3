import type { Client } from './client';
import { compareDated } from './compare-dated';
import type { Differences } from './differences';
import { inParallel } from './in-parallel';
import { walkPeople, walkTweets, type TweetEdge, type Walk } from './lists';
import type { Person } from './model';
import { peopleByIds } from './operations';
import { spanKey, type World } from './world';

/** Learns the ids of shares from the lists of their sharers. Only then does the model know their positions in lists. */
export async function learnShares(
  world: World,
  service: Client,
  differences: Differences,
  walk: () => Walk,
): Promise<void> {
  world.model.shareNames.clear();
  await inParallel(world.model.people.values(), async ({ username, id }) => {
    for (const { node } of await walkTweets(service, ['User', 'tweets', 'NEWEST'], id, walk())) {
      differences.same(
        `the author of ${node.tweetId} in the tweets of ${username}`,
        node.author.username,
        username,
      );
      const original = node.sharedTweet && world.ever.get(node.sharedTweet.id)?.original;
      if (original) world.nameShare(username, original, node);
    }
  });
}

/** Compares the lists and counts of all people with the model. */
export async function comparePeople(
  world: World,
  service: Client,
  differences: Differences,
  walk: () => Walk,
): Promise<void> {
  await inParallel(world.model.people.values(), async (person) => {
    await compareCounts(world, service, differences, person);
    await compareFollows(world, service, differences, person, walk);
    await compareLists(world, service, differences, person, walk);
  });
}

async function compareCounts(
  { model }: World,
  service: Client,
  differences: Differences,
  { id, username }: Person,
): Promise<void> {
  const [view] = await service.ask(peopleByIds, { ids: [id] });
  const counts = view && {
    followerCount: view.followerCount,
    followingCount: view.followingCount,
    tweetCount: view.tweetCount,
  };
  differences.same(`counts of ${username}`, counts, model.countsOfPerson(username));
}

async function compareFollows(
  { model, spans }: World,
  service: Client,
  differences: Differences,
  { id, username }: Person,
  walk: () => Walk,
): Promise<void> {
  const following = await walkPeople(service, ['User', 'following', 'followedAt'], id, walk());
  const followees = following.map(({ node }) => node.username);
  differences.sameList(`following of ${username}`, followees, model.followingOf(username));
  compareDated(differences, `following of ${username}`, following, (other) =>
    spans.get(spanKey('follow', username, other)),
  );
  const followers = await walkPeople(service, ['User', 'followers', 'followedAt'], id, walk());
  const names = followers.map(({ node }) => node.username);
  differences.sameSet(`followers of ${username}`, names, model.follows.with(username));
  compareDated(differences, `followers of ${username}`, followers, (other) =>
    spans.get(spanKey('follow', other, username)),
  );
}

async function compareLists(
  { model }: World,
  service: Client,
  differences: Differences,
  { id, username }: Person,
  walk: () => Walk,
): Promise<void> {
  for (const order of ['NEWEST', 'MOST_LIKED'] as const) {
    const tweets = await walkTweets(service, ['User', 'tweets', order], id, walk());
    differences.sameList(`tweets of ${username} ${order}`, idsOf(tweets), model.tweetsOf(username, order));
    const timeline = await walkTweets(service, ['User', 'timeline', order], id, walk());
    differences.sameList(
      `timeline of ${username} ${order}`,
      idsOf(timeline),
      model.timelineOf(username, order),
    );
  }
  const likes = await walkTweets(service, ['User', 'likes'], id, walk());
  differences.sameList(`likes of ${username}`, idsOf(likes), model.likesOf(username));
}

/** The ids of the items of a list. */
export function idsOf(edges: readonly TweetEdge[]): string[] {
  return edges.map(({ node }) => node.tweetId);
}
