import { z } from 'zod';
import type { Operation } from './api';

const profile = z.object({ name: z.string(), description: z.string().nullable() });

const article = z.object({
  id: z.string(),
  title: z.string(),
  body: z.string(),
  tags: z.array(z.string()),
  publishedAt: z.string(),
  commentCount: z.int(),
  author: profile.extend({ username: z.string() }),
});
const articleFields = 'id title body tags publishedAt commentCount author { username name description }';

const comment = z.object({
  id: z.string(),
  body: z.string(),
  createdAt: z.string(),
  author: z.object({ username: z.string(), name: z.string() }),
  article: z.object({ id: z.string(), title: z.string(), commentCount: z.int() }),
});
const commentFields = 'id body createdAt author { username name } article { id title commentCount }';

/** An article as the API shows it. */
type ArticleView = z.infer<typeof article>;
/** A comment as the API shows it. */
type CommentView = z.infer<typeof comment>;

/** Publishes an article. */
export const publishArticle = {
  name: 'publishArticle',
  source: `mutation ($input: PublishArticleInput!) { payload: publishArticle(input: $input) { article { ${articleFields} } } }`,
  data: z.object({ payload: z.object({ article }) }).transform(({ payload }) => payload.article),
} satisfies Operation<ArticleView>;

/** Comments on an article. */
export const addComment = {
  name: 'addComment',
  source: `mutation ($input: AddCommentInput!) { payload: addComment(input: $input) { comment { ${commentFields} } } }`,
  data: z.object({ payload: z.object({ comment }) }).transform(({ payload }) => payload.comment),
} satisfies Operation<CommentView>;

/** Changes the caller's name, description or both. */
export const updateUser = {
  name: 'updateUser',
  source:
    'mutation ($input: UpdateUserInput!) { payload: updateUser(input: $input) { user { name description } } }',
  data: z.object({ payload: z.object({ user: profile }) }).transform(({ payload }) => payload.user),
} satisfies Operation<z.infer<typeof profile>>;

/** The caller's own profile, and the article that the caller published last. */
export const ownNews = {
  name: 'viewer',
  source: `{ viewer { name description articles(first: 1) { nodes { ${articleFields} } } } }`,
  data: z
    .object({ viewer: profile.extend({ articles: z.object({ nodes: z.array(article) }) }) })
    .transform(({ viewer }) => viewer),
};

/** The article with an id. */
export const articleById = {
  name: 'article',
  source: `query ($id: ID!) { article(id: $id) { ${articleFields} } }`,
  data: z.object({ article: article.nullable() }).transform((data) => data.article),
} satisfies Operation<ArticleView | null>;

/** Comments by their global ids, at most 100. */
export const commentsByIds = {
  name: 'nodes',
  source: `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Comment { ${commentFields} } } }`,
  data: z.object({ nodes: z.array(comment.nullable()) }).transform(({ nodes }) => nodes),
} satisfies Operation<(CommentView | null)[]>;
