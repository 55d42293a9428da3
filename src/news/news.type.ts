import { Field, ObjectType } from 'type-graphql';
import { DateTime } from '../kit/relay/date-time';
import { Node } from '../kit/relay/node';
import { ConnectionOf, EdgeOf } from '../kit/relay/types';
import type { ArticleRow, CommentRow } from './news.table';

/** An article; its properties are the columns of each table of articles. */
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'An article. Lists hold it whole, so it costs nothing more than its list.',
})
export class Article extends Node implements ArticleRow {
  @Field(() => String, { description: 'Comes with the article.' })
  title: string;

  @Field(() => String, { description: 'The text as given. Comes with the article.' })
  body: string;

  @Field(() => DateTime, { description: 'When it was published. Comes with the article.' })
  publishedAt: Date;

  articleId: string;
  authorId: string;
  tags: readonly string[] | null;

  /** What some lists copy of the author; of one who says nothing an empty description. */
  authorName?: string;
  authorDescription?: string | null;
}

/** A comment; its properties are the columns of each table of comments. */
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'A comment on an article. Lists hold it whole, so it costs nothing more than its list.',
})
export class Comment extends Node implements CommentRow {
  @Field(() => String, { description: 'The text as given. Comes with the comment.' })
  body: string;

  @Field(() => DateTime, { description: 'When it was written. Comes with the comment.' })
  createdAt: Date;

  commentId: string;
  articleId: string;
  authorId: string;

  /** What some lists copy. */
  articleTitle?: string;
  authorName?: string;
}

/** An article's place in a list. */
@ObjectType({ simpleResolvers: true })
export class ArticleEdge extends EdgeOf(() => Article) {}

/** A page of articles. */
@ObjectType({ simpleResolvers: true })
export class ArticleConnection extends ConnectionOf(() => ArticleEdge) {
  @Field(() => [Article], { description: 'The articles of the page. Comes with the page.' })
  nodes: Article[];
}

/** A comment's place in a list. */
@ObjectType({ simpleResolvers: true })
export class CommentEdge extends EdgeOf(() => Comment) {}

/** A page of comments. */
@ObjectType({ simpleResolvers: true })
export class CommentConnection extends ConnectionOf(() => CommentEdge) {
  @Field(() => [Comment], { description: 'The comments of the page. Comes with the page.' })
  nodes: Comment[];
}

/** What publishing answers. */
@ObjectType({ simpleResolvers: true })
export class ArticlePayload {
  @Field(() => Article, { description: 'The article as it is now.' })
  article: Article;
}

/** What commenting answers. */
@ObjectType({ simpleResolvers: true })
export class CommentPayload {
  @Field(() => Comment, { description: 'The comment.' })
  comment: Comment;
}
