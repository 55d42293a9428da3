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
import type { Stage } from './stage';
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
  findUsers: Stage['findUsers'],
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
  await compareGone(world, service, findUsers, differences);
  compareSubscribers(world, subscribers, differences);
  return differences.found;
}

/** Of those who have left nothing is shown, and no table has their ids. */
async function compareGone(
  { former }: World,
  service: Client,
  findUsers: Stage['findUsers'],
  differences: Differences,
): Promise<void> {
  if (former.size === 0) return;
  for (const [username, { id }] of former) {
    const [byId] = await service.ask(peopleByIds, { ids: [id] });
    const byName = await service.ask(userByName, { username });
    differences.same(`${username}, who has left`, [byId, byName], [null, null]);
  }
  const found = await findUsers([...former.values()].map(({ userId }) => userId));
  for (const [username, { userId }] of former)
    differences.same(`tables that have the id of ${username}, who has left`, found.get(userId), []);
}
