import { Field, ObjectType } from 'type-graphql';
import { Article, Comment } from '../../features/news/news.type';

/** The result of publishing an article. */
@ObjectType({ simpleResolvers: true, description: 'The result of `publishArticle`.' })
export class PublishArticlePayload {
  @Field(() => Article, { description: 'The published article.' })
  article: Article;
}

/** The result of adding a comment. */
@ObjectType({ simpleResolvers: true, description: 'The result of `addComment`.' })
export class AddCommentPayload {
  @Field(() => Comment, { description: 'The added comment.' })
  comment: Comment;
}
