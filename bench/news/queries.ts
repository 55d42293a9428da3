import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { timeOfId } from '../../src/kit/base/snowflake';
import type { Query } from '../queries';

const article = 'id title body tags publishedAt';

const comment = 'id body createdAt';

const ofNode = (type: string, list: string) =>
  `query ($id: ID!) { node(id: $id) { ... on ${type} { ${list} } } }`;

const ofArticle = (field: string) =>
  ofNode('Article', `${field}(first: 25) { nodes { ${comment} author { userId name } } }`);

const ofDay = `query ($day: Date!) { articlesOfDay(day: $day) { nodes { ${article} author { userId name } } } }`;

const ofUser = ofNode(
  'User',
  `articles(first: 25) { nodes { ${article} author { userId name description } } }`,
);

const ofPeriod = `query ($from: DateTime!, $to: DateTime!) { comments(from: $from, to: $to, first: 25) { nodes { ${comment} author { userId name } article { id title } } } }`;

const common = { of: 'articles', by: 'service', hasRaw: true, rows: 25 } as const;

/** The queries about articles and comments. */
export const newsQueries: readonly Query[] = [
  {
    ...common,
    name: 'D',
    what: 'articles of a day, 10',
    source: ofDay,
    rows: 10,
    variables: (articleId) => ({ day: timeOfId(articleId).toISOString().slice(0, 10) }),
  },
  {
    ...common,
    name: 'U',
    what: 'articles of a user, 25',
    source: ofUser,
    of: 'writers',
    variables: (userId) => ({ id: encodeNodeId('User', userId) }),
  },
  {
    ...common,
    name: 'C',
    what: 'comments on an article, 25',
    source: ofArticle('comments'),
    variables: named,
  },
  {
    ...common,
    name: 'O',
    what: 'those of its author, 25',
    source: ofArticle('authorComments'),
    variables: named,
  },
  { ...common, name: 'I', what: 'comments of a minute, 25', source: ofPeriod, variables: minuteAfter },
  { ...common, name: 'Y', what: 'comments of a year, 25', source: ofPeriod, variables: yearBefore },
];

function named(articleId: string) {
  return { id: encodeNodeId('Article', articleId) };
}

/** The minute after an article, which has its comments. */
export function minuteAfter(articleId: string) {
  const from = timeOfId(articleId);
  return { from, to: new Date(Number(from) + 60_000) };
}

/** The year that ends with that minute. */
export function yearBefore(articleId: string) {
  const { to } = minuteAfter(articleId);
  return { from: new Date(Number(to) - 365 * 86_400_000), to };
}
