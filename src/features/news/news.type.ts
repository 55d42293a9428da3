import { Field, ObjectType } from 'type-graphql';
import { DateTime } from '../../kit/input/date-time';
import { Node } from '../../kit/graphql/global-id';
import type { ArticleRow, CommentRow } from './news.table';

/** An article. Its properties are the columns of each table of articles. */
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'An article.',
})
export class Article extends Node implements ArticleRow {
  @Field(() => String, { description: 'The title.' })
  title: string;

  @Field(() => String, { description: 'The text as given.' })
  body: string;

  @Field(() => DateTime, { description: 'When it was published.' })
  publishedAt: Date;

  articleId: string;
  authorId: string;
  tags: readonly string[] | null;

  /** Copies of the author's name and description, in some lists. An author without a description has an empty one. */
  authorName?: string;
  authorDescription?: string | null;
}

/** A comment. Its properties are the columns of each table of comments. */
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'A comment on an article.',
})
export class Comment extends Node implements CommentRow {
  @Field(() => String, { description: 'The text as given.' })
  body: string;

  @Field(() => DateTime, { description: 'When it was written.' })
  createdAt: Date;

  commentId: string;
  articleId: string;
  authorId: string;

  /** Copies of the article's title and the author's name, in some lists. */
  articleTitle?: string;
  authorName?: string;
}
