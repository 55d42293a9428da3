import { MutedWordPlace, MuteScope } from '../../src/features/hidden/hidden.enums';
import type { Random } from '../../src/kit/base/random';
import type { Client } from './client';
import { idsOf } from './compare-people';
import type { Differences } from './differences';
import { ownHidden } from './hide.operations';
import { isOver, whyHidden, type Place } from './hidden';
import { inParallel } from './in-parallel';
import { walkFound, walkHashtag, walkPeople, walkTweets, type Walk } from './lists';
import { hashtagsIn, wordsIn, type Item, type Person, type Post } from './model';
import { pickOne } from './random';
import { isUnwanted } from './threads';
import type { World } from './world';

/** How many posts each viewer looks at. */
const POSTS_EACH = 8;

interface Look {
  readonly world: World;
  readonly username: string;
  readonly client: Client;
  readonly differences: Differences;
  readonly walk: () => Walk;
  /** Whether the viewer sees an item at a place. */
  readonly at: (place: Place) => (item: Item) => boolean;
  /** Whether no block is between the viewer and a user. */
  readonly isOpen: (username: string) => boolean;
}

/** Compares what every viewer hides, and what lists show to every viewer: all lists of people, and those of some posts. */
export async function compareHidden(
  world: World,
  callers: ReadonlyMap<string, Client>,
  differences: Differences,
  walk: () => Walk,
  random: Random,
): Promise<void> {
  const { model } = world;
  await inParallel(callers, async ([username, client]) => {
    const at = (place: Place) => (item: Item) => whyHidden(model, username, item, place) === null;
    const isOpen = (other: string) => model.hidden.blockBetween(username, other) === null;
    const look = { world, username, client, differences, walk, at, isOpen };
    await compareOwn(look);
    for (const person of model.people.values()) await comparePerson(look, person);
    await compareTimeline(look);
    const posts = [...model.posts.values()];
    for (let n = 0; n < POSTS_EACH; n++) {
      const post = pickOne(random, posts, 1.5);
      if (post) await comparePost(look, post);
    }
  });
}

async function compareOwn({ world, username, client, differences }: Look): Promise<void> {
  const { hidden } = world.model;
  const view = await client.ask(ownHidden);
  const blocked = view.blockedUsers.edges.map(({ node }) => node.username);
  differences.sameSet(`blocked by ${username}`, blocked, hidden.blocks.of(username));
  const muted = view.mutedUsers.edges.map(({ node, until, scope }) => told([node.username, until, scope]));
  const mutes = [...hidden.mutesOf(username)].filter(([, mute]) => !isOver(mute));
  const expected = mutes.map(([other, { until, places }]) =>
    told([other, until === null ? null : new Date(until).toISOString(), places ?? Object.values(MuteScope)]),
  );
  differences.sameSet(`muted by ${username}`, muted, expected);
  const words = view.mutedWords.map(({ id, text, exceptFollowed, where }) =>
    told([id, text, exceptFollowed, where]),
  );
  const wanted = [...hidden.wordsOf(username).values()].map(({ id, text, exceptFollowed, places }) =>
    told([id, text, exceptFollowed, places ?? Object.values(MutedWordPlace)]),
  );
  differences.sameSet(`words muted by ${username}`, words, wanted);
}

async function comparePerson(look: Look, { id, username: other }: Person): Promise<void> {
  const { world, username, client, differences, walk, at, isOpen } = look;
  const { model } = world;
  const isShown = isOpen(other);
  for (const field of ['followers', 'following'] as const) {
    const all = field === 'followers' ? model.follows.with(other) : model.follows.of(other);
    const edges = await walkPeople(client, ['User', field, 'followedAt'], id, walk());
    const names = edges.map(({ node }) => node.username);
    const expected = isShown ? all.filter(isOpen) : [];
    differences.sameSet(`${field} of ${other} for ${username}`, names, expected);
  }
  for (const order of ['NEWEST', 'MOST_LIKED'] as const) {
    const tweets = await walkTweets(client, ['User', 'tweets', order], id, walk());
    const expected = isShown ? model.tweetsOf(other, order, at('DIRECT')) : [];
    differences.sameList(`tweets of ${other} ${order} for ${username}`, idsOf(tweets), expected);
  }
  const likes = await walkTweets(client, ['User', 'likes'], id, walk());
  const liked = model.likesOf(other).filter((tweetId) => isPostShown(look, tweetId, 'LIST'));
  differences.sameList(`likes of ${other} for ${username}`, idsOf(likes), isShown ? liked : []);
}

function isPostShown({ world, at }: Look, tweetId: string, place: Place): boolean {
  const post = world.model.posts.get(tweetId);
  return post !== undefined && at(place)({ tweetId, post, isShare: false, by: post.author });
}

async function compareTimeline({ world, username, client, differences, walk, at }: Look): Promise<void> {
  const { model } = world;
  const id = model.people.get(username)?.id ?? '';
  for (const order of ['NEWEST', 'MOST_LIKED'] as const) {
    const timeline = await walkTweets(client, ['User', 'timeline', order], id, walk());
    const expected = model.timelineOf(username, order, at('TIMELINE'));
    differences.sameList(`own timeline of ${username} ${order}`, idsOf(timeline), expected);
  }
}

async function comparePost(look: Look, post: Post): Promise<void> {
  const { world, username, client, differences, walk, at, isOpen } = look;
  const { model } = world;
  const { id, tweetId } = post;
  // The lists of a tweet that is hidden cannot be asked for.
  if (isPostShown(look, tweetId, 'DIRECT')) {
    const likers = await walkPeople(client, ['Tweet', 'likers', 'likedAt'], id, walk());
    const names = likers.map(({ node }) => node.username);
    differences.sameSet(
      `likers of ${tweetId} for ${username}`,
      names,
      model.likes.with(tweetId).filter(isOpen),
    );
    const sharers = await walkPeople(client, ['Tweet', 'sharers', 'sharedAt'], id, walk());
    const sharing = sharers.map(({ node }) => node.username);
    const shared = model.shares.with(tweetId).filter(isOpen);
    differences.sameSet(`sharers of ${tweetId} for ${username}`, sharing, shared);
    const quotes = await walkTweets(client, ['Tweet', 'quotes'], id, walk());
    const quoted = model.quotesOf(tweetId, at('THREAD'));
    differences.sameList(`quotes of ${tweetId} for ${username}`, idsOf(quotes), quoted);
    const isOwnShown = at('THREAD');
    const isReplyShown = (item: Item) => isOwnShown(item) && !isUnwanted(model, post, item.by, username);
    for (const order of ['NEWEST', 'MOST_LIKED'] as const) {
      const replies = await walkTweets(client, ['Tweet', 'replies', order], id, walk());
      const expected = model.repliesTo(tweetId, order, isReplyShown);
      differences.sameList(`replies to ${tweetId} ${order} for ${username}`, idsOf(replies), expected);
    }
  }
  const [word = ''] = wordsIn(post);
  const [tag = ''] = hashtagsIn(post);
  for (const order of ['NEWEST', 'MOST_LIKED'] as const) {
    const found = await walkFound(client, [word], order, { ...walk(), backwards: false });
    const expected = model.found((one) => wordsIn(one).includes(word), order, at('SEARCH'));
    differences.sameList(`search of ${word} ${order} for ${username}`, idsOf(found), expected);
    if (tag === '') continue;
    const tagged = await walkHashtag(client, tag, order, walk());
    const wanted = model.found((one) => hashtagsIn(one).includes(tag), order, at('SEARCH'));
    differences.sameList(`tweets of #${tag} ${order} for ${username}`, idsOf(tagged), wanted);
  }
}

function told(value: unknown): string {
  return JSON.stringify(value);
}
