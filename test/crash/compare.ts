import type { Random } from '../../src/kit/base/random';
import type { Client } from './client';
import { compareBookmarks } from './compare-bookmarks';
import { compareFound } from './compare-found';
import { compareNews } from './compare-news';
import { comparePeople, learnShares } from './compare-people';
import { compareTweets } from './compare-tweets';
import { compareViewers } from './compare-viewers';
import { Differences, type Difference } from './differences';
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
  callers: ReadonlyMap<string, Client>,
  subscribers: readonly Subscriber[],
  random: Random,
): Promise<readonly Difference[]> {
  const differences = new Differences();
  const walk = (): Walk => ({ size: 2 + Math.floor(random() ** 2 * 40), backwards: chance(random, 0.4) });
  await learnShares(world, service, differences, walk);
  await comparePeople(world, service, differences, walk);
  await compareTweets(world, service, differences, walk);
  await compareFound(world, service, differences, walk);
  await compareNews(world, service, differences, walk);
  await compareViewers(world, callers, differences);
  await compareBookmarks(world, callers, differences);
  compareSubscribers(world, subscribers, differences);
  return differences.found;
}
