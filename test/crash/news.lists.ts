import { z } from 'zod';
import type { Client } from './client';
import { info, walkUnderFaults, operation, pageOf, type Walk } from './lists';
import type { Period } from './periods';

const person = { userId: z.string(), name: z.string() };
const article = {
  id: z.string(),
  title: z.string(),
  body: z.string(),
  tags: z.array(z.string()),
  publishedAt: z.string(),
};
const comment = { id: z.string(), body: z.string(), createdAt: z.string(), author: z.object(person) };

const articleFields = 'id title body tags publishedAt';
const commentFields = 'id body createdAt author { userId name }';

const articleEdge = z.object({ node: z.object({ ...article, author: z.object(person) }) });
const ownArticleEdge = z.object({
  node: z.object({ ...article, author: z.object({ ...person, description: z.string().nullable() }) }),
});
const commentEdge = z.object({ node: z.object(comment) });
const datedEdge = z.object({
  node: z.object({ ...comment, article: z.object({ id: z.string(), title: z.string() }) }),
});

/** Walks the articles of a user, with the fields that this list copies. */
export function walkArticles(client: Client, userId: string, walk: Walk) {
  const edges = `edges { node { ${articleFields} author { userId name description } } }`;
  return walkUnderFaults(
    client,
    operation('User', 'articles', '', edges, ownArticleEdge),
    { id: userId },
    walk,
  );
}

/** Walks the articles of a UTC day, with the fields that this list copies; forwards only. */
export function walkArticlesOfDay(client: Client, day: string, walk: Walk) {
  const edges = `edges { node { ${articleFields} author { userId name } } }`;
  const list = `list: articlesOfDay(day: $day, first: $first, after: $after) { ${edges} ${info} }`;
  const source = `query ($day: Date!, $first: Int, $after: String) { ${list} }`;
  const data = z.object({ list: pageOf(articleEdge) }).transform((page) => page.list);
  return walkUnderFaults(client, { name: 'articlesOfDay', source, data }, { day }, walk);
}

/** Walks the comments on an article. */
export function walkComments(client: Client, field: 'comments' | 'authorComments', id: string, walk: Walk) {
  const edges = `edges { node { ${commentFields} } }`;
  return walkUnderFaults(client, operation('Article', field, '', edges, commentEdge), { id }, walk);
}

/** Walks the comments of a period, with the fields that the lists of days copy; forwards only. */
export function walkPeriod(client: Client, period: Period, walk: Walk) {
  const edges = `edges { node { ${commentFields} article { id title } } }`;
  const list = `list: comments(from: $from, to: $to, first: $first, after: $after) { ${edges} ${info} }`;
  const source = `query ($from: DateTime!, $to: DateTime!, $first: Int, $after: String) { ${list} }`;
  const data = z.object({ list: pageOf(datedEdge) }).transform((page) => page.list);
  return walkUnderFaults(client, { name: 'comments', source, data }, { ...period }, walk);
}
