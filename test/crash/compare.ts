import type { Random } from '../../src/kit/base/random';
import type { Client } from './client';
import { compareBookmarks } from './compare-bookmarks';
import { compareFound } from './compare-found';
import { compareHidden } from './compare-hidden';
import { compareNews } from './compare-news';
import { compareNotifications } from './compare-notifications';
import { comparePeople, learnShares } from './compare-people';
import { compareThreads } from './compare-threads';
import { compareTweets } from './compare-tweets';
import { compareViewers } from './compare-viewers';
import { Differences, type Difference } from './differences';
import { peopleByIds, userByName } from './operations';
import { chance } from './random';
import { compareSubscribers, type Subscriber } from './subscriber';
import type { World } from './world';
import type { Walk } from './lists';

/**
 * Reads everything through the API, walking all pages of all lists, and resolves to the differences from the model, also of
 * what subscribers were given.
 */
export async function compare(
  world: World,
  service: Client,
  everybody: ReadonlyMap<string, Client>,
  subscribers: readonly Subscriber[],
  random: Random,
): Promise<readonly Difference[]> {
  const differences = new Differences();
  const walk = (): Walk => ({ size: 2 + Math.floor(random() ** 2 * 40), backwards: chance(random, 0.4) });
  world.forgetLeft();
  const callers = new Map([...everybody].filter(([username]) => !world.left.has(username)));
  await learnShares(world, service, differences, walk);
  await comparePeople(world, service, differences, walk);
  await compareTweets(world, service, differences, walk);
  await compareFound(world, service, differences, walk);
  await compareNews(world, service, differences, walk);
  await compareViewers(world, callers, differences);
  await compareBookmarks(world, service, callers, differences);
  await compareNotifications(world, service, callers, differences);
  await compareThreads(world, service, callers, differences, random);
  await compareHidden(world, callers, differences, walk, random);
  await compareGone(world, service, differences);
  compareSubscribers(world, subscribers, differences);
  return differences.found;
}

/** Of those who have left, nothing is found by their ids. */
async function compareGone(
  { left, idsOfLeft }: World,
  service: Client,
  differences: Differences,
): Promise<void> {
  for (const username of left) {
    const [byId] = await service.ask(peopleByIds, { ids: [idsOfLeft.get(username) ?? ''] });
    const byName = await service.ask(userByName, { username });
    differences.same(`${username}, who has left`, [byId, byName], [null, null]);
  }
}
