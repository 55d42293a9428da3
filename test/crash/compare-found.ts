import { timeOfId } from '../../src/kit/base/snowflake';
import { hasPoint } from '../support/areas';
import { cellOf } from '../exact/oracle';
import type { Client } from './client';
import { idsOf } from './compare-people';
import type { Differences } from './differences';
import { inParallel } from './in-parallel';
import { type TweetEdge, type Walk, walkArea, walkFound, walkHashtag } from './lists';
import { hashtagsIn, type Item, type Post, wordsIn } from './model';
import { frequency, heatmap, trends } from './operations';
import { periodOf, periodsOf } from './periods';
import type { World } from './world';

/** Compares what is found by words, hashtags, areas and times with the model. */
export async function compareFound(
  world: World,
  service: Client,
  differences: Differences,
  walk: () => Walk,
): Promise<void> {
  await compareWords(world, service, differences, walk);
  await compareHashtags(world, service, differences, walk);
  await compareAreas(world, service, differences, walk);
  await compareFrequency(world, service, differences);
}

const ORDERS = ['NEWEST', 'MOST_LIKED'] as const;

async function compareWords(
  { model }: World,
  service: Client,
  differences: Differences,
  walk: () => Walk,
): Promise<void> {
  const questions = [...model.people.keys()].flatMap((name) => [[name], [name, 'says']]);
  await inParallel(questions, async (words) => {
    for (const order of ORDERS) {
      const edges = await walkFound(service, words, order, { ...walk(), backwards: false });
      const expected = model.found((post) => words.every((word) => wordsIn(post).includes(word)), order);
      differences.sameList(`search of ${words.join(' ')} ${order}`, idsOf(edges), expected);
    }
  });
}

async function compareHashtags(
  world: World,
  service: Client,
  differences: Differences,
  walk: () => Walk,
): Promise<void> {
  const { model } = world;
  const posts = [...model.posts.values()];
  const tags = [...new Set([...world.ever.values()].flatMap(({ original }) => hashtagsIn(original)))];
  await inParallel(tags, async (tag) => {
    for (const order of ORDERS) {
      const edges = await walkHashtag(service, tag, order, walk());
      const expected = model.found((post) => hashtagsIn(post).includes(tag), order);
      differences.sameList(`tweets of #${tag} ${order}`, idsOf(edges), expected);
    }
  });
  const counts = new Map((await service.ask(trends)).map(({ hashtag, count }) => [hashtag.name, count]));
  // With a full list, tags of other rounds may have displaced some of these.
  if (counts.size === 100) return;
  for (const tag of tags) {
    const authors = new Set(
      posts.filter((post) => hashtagsIn(post).includes(tag)).map(({ author }) => author),
    );
    differences.same(`who used #${tag}`, counts.get(tag) ?? 0, authors.size);
  }
}

async function compareAreas(
  { model }: World,
  service: Client,
  differences: Differences,
  walk: () => Walk,
): Promise<void> {
  const placed = [...model.posts.values()].filter(({ location }) => location !== null);
  const period = periodOf(placed.map(timeOf));
  if (period === null) return;
  const areas = [
    { south: -90, west: -180, north: 90, east: 180 },
    { south: -10, west: -60, north: 50, east: 30 },
    { south: -90, west: 90, north: 90, east: -90 },
  ];
  for (const area of areas) {
    const what = JSON.stringify(area);
    const posts = placed.filter(
      ({ location }) => location && hasPoint(area, location.latitude, location.longitude),
    );
    const edges = await walkArea(service, area, period, { ...walk(), backwards: false });
    differences.sameList(
      `tweets in ${what}`,
      idsOf(edges.filter(isOf(model.people))),
      model.found((post) => posts.includes(post), 'MOST_LIKED').sort(byIdDescending),
    );
    const cells = await service.ask(heatmap, { area, ...period });
    const expected = new Map<string, number>();
    for (const { location } of posts) {
      const [cell = ''] = cellOf(location?.latitude ?? 0, location?.longitude ?? 0, 2).split(' ');
      expected.set(cell, (expected.get(cell) ?? 0) + 1);
    }
    differences.sameSet(
      `heatmap of ${what}`,
      cells.map(({ geohash, count }) => `${geohash} ${count}`),
      [...expected].map(([cell, count]) => `${cell} ${count}`),
    );
  }
}

async function compareFrequency({ model }: World, service: Client, differences: Differences): Promise<void> {
  const items = model.items();
  // Imported tweets are in English, like those of other rounds, so English is not compared.
  const languages = new Set(items.map(({ post }) => post.language).filter((language) => language !== 'en'));
  for (const language of languages) {
    const times = items.filter(({ post }) => post.language === language).map(timeOfItem);
    for (const { from, to } of periodsOf(times))
      for (const [unit, length] of Object.entries({ MINUTE: 60_000, HOUR: 3_600_000, DAY: 86_400_000 })) {
        const points = await service.ask(frequency, { from, to, unit, language });
        const expected = new Map<string, number>();
        for (const time of times) {
          if (time < Date.parse(from) || time >= Date.parse(to)) continue;
          const at = new Date(time - (time % length)).toISOString();
          expected.set(at, (expected.get(at) ?? 0) + 1);
        }
        differences.sameSet(
          `frequency of ${language} by ${unit} from ${from} to ${to}`,
          points.filter(({ count }) => count !== 0).map(({ at, count }) => `${at} ${count}`),
          [...expected].map(([at, count]) => `${at} ${count}`),
        );
      }
  }
}

function timeOf({ createdAt }: Post): number {
  return Date.parse(createdAt);
}

function timeOfItem({ tweetId, post, isShare }: Item): number {
  return isShare ? Number(timeOfId(tweetId)) : timeOf(post);
}

function isOf(people: ReadonlyMap<string, unknown>): (edge: TweetEdge) => boolean {
  return ({ node }) => people.has(node.author.username);
}

function byIdDescending(a: string, b: string): number {
  return b.length - a.length || (a < b ? 1 : -1);
}
