import type { Client } from './client';
import type { Differences } from './differences';
import { inParallel } from './in-parallel';
import type { Walk } from './lists';
import { dayOf, type Article, type Comment } from './news';
import { walkArticles, walkArticlesOfDay, walkComments, walkPeriod } from './news.lists';
import { articleById } from './news.operations';
import { periodsOf } from './periods';
import type { World } from './world';

/** Compares every article and every list of articles and comments with the model, including what they copy of users and articles. */
export async function compareNews(
  world: World,
  service: Client,
  differences: Differences,
  walk: () => Walk,
): Promise<void> {
  await compareArticles(world, service, differences, walk);
  await compareArticleLists(world, service, differences, walk);
  await comparePeriods(world, service, differences, walk);
}

async function compareArticles(
  world: World,
  service: Client,
  differences: Differences,
  walk: () => Walk,
): Promise<void> {
  const { news } = world.model;
  await inParallel(news.articles.values(), async (article) => {
    const { id, title, body, tags, publishedAt, author: username } = article;
    const view = await service.ask(articleById, { id });
    const [comments, own] = [news.commentsOn(article), news.authorCommentsOn(article)];
    const author = { ...news.profiles.get(username), username };
    const commentCount = comments.length;
    const expected = { id, title, body, tags, publishedAt, commentCount, author };
    differences.same(`article ${id}`, view, expected);
    for (const [field, listed] of [
      ['comments', comments],
      ['authorComments', own],
    ] as const) {
      const edges = await walkComments(service, field, id, walk());
      const shown = listed.map((comment) => told(commentNode(world, comment)));
      differences.sameList(`${field} of ${id}`, toldOf(edges), shown);
    }
  });
}

async function compareArticleLists(
  world: World,
  service: Client,
  differences: Differences,
  walk: () => Walk,
): Promise<void> {
  const { people, news } = world.model;
  await inParallel(news.profiles, async ([username, { name, description }]) => {
    const { id = '', userId } = people.get(username) ?? {};
    const edges = await walkArticles(service, id, walk());
    const author = { userId, name, description };
    const expected = news
      .articlesOf(username)
      .map((article) => told({ ...articleNode(world, article), author }));
    differences.sameList(`articles of ${username}`, toldOf(edges), expected);
  });
  const days = new Set([...news.articles.values()].map(({ publishedAt }) => dayOf(publishedAt)));
  await inParallel(days, async (day) => {
    const edges = await walkArticlesOfDay(service, day, { ...walk(), backwards: false });
    const expected = news.articlesOfDay(day).map((article) => told(articleNode(world, article)));
    differences.sameList(`articles of ${day}`, toldOf(edges.filter(isOf(world))), expected);
  });
}

async function comparePeriods(
  world: World,
  service: Client,
  differences: Differences,
  walk: () => Walk,
): Promise<void> {
  const { news } = world.model;
  const times = [...news.comments.values()].map(({ createdAt }) => Date.parse(createdAt));
  await inParallel(periodsOf(times), async (period) => {
    const edges = await walkPeriod(service, period, { ...walk(), backwards: false });
    const expected = news.commentsWithin(period).map((comment) => {
      const { id, title } = news.articles.get(comment.articleId) ?? {};
      return told({ ...commentNode(world, comment), article: { id, title } });
    });
    const what = `comments from ${period.from} to ${period.to}`;
    differences.sameList(what, toldOf(edges.filter(isOf(world))), expected);
  });
}

/** An article as lists show it. */
function articleNode(world: World, { id, title, body, tags, publishedAt, author }: Article) {
  return { id, title, body, tags, publishedAt, author: authorNode(world, author) };
}

/** A comment as lists show it. */
function commentNode(world: World, { id, body, createdAt, author }: Comment) {
  return { id, body, createdAt, author: authorNode(world, author) };
}

function authorNode({ model }: World, username: string) {
  return { userId: model.people.get(username)?.userId, name: model.news.profiles.get(username)?.name };
}

function toldOf(edges: readonly { readonly node: unknown }[]): string[] {
  return edges.map(({ node }) => told(node));
}

function told(node: unknown): string {
  return JSON.stringify(node);
}

/** Creates a filter for edges whose author is in this world, because the lists of days also have those of other rounds. */
function isOf({ model }: World) {
  const userIds = new Set([...model.people.values()].map(({ userId }) => userId));
  return ({ node }: { readonly node: { readonly author: { readonly userId: string } } }) =>
    userIds.has(node.author.userId);
}
