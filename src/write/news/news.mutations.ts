import { Field, ObjectType, Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { Article, Comment } from '../../features/news/news.type';
import type { MutationContext } from '../mutation-context';
import { checkedText } from '../../kit/input/input-text';
import { relations } from '../../features/follow/follow.table';
import { Reads, rowsOf } from '../../kit/cost/reads';
import { idIn } from '../../kit/graphql/global-id';
import { requireWriter } from '../../features/viewer/viewer';
import { VIEWER_READS } from '../../features/viewer/viewer-reads';
import { spendOnPost } from '../spend-on-post';
import { addComment } from './add-comment';
import { AddCommentInput, BODY, COMMENT, PublishArticleInput, TAG, TITLE } from './news.input';
import { articles, comments } from '../../features/news/news.table';
import { publishArticle } from './publish-article';

/** The result of publishing an article. */
@ObjectType({ simpleResolvers: true, description: 'The result of `publishArticle`.' })
class PublishArticlePayload {
  @Field(() => Article, { description: 'The published article.' })
  article: Article;
}

/** The result of adding a comment. */
@ObjectType({ simpleResolvers: true, description: 'The result of `addComment`.' })
class AddCommentPayload {
  @Field(() => Comment, { description: 'The added comment.' })
  comment: Comment;
}

/** Publishing articles and commenting on them, as the caller's user. */
@Resolver()
export class NewsMutations {
  @Reads(rowsOf(articles), ...VIEWER_READS)
  @Mutation(() => PublishArticlePayload, {
    nullable: true,
    description:
      'Publishes an article as the caller; it is in all lists when this answers. Fails with `UNAUTHENTICATED` without a user, `BAD_USER_INPUT`, `CONFLICT` for a key that was used with other content, or `RATE_LIMITED` for many posts within an hour, or many bytes within a day.',
  })
  async publishArticle(
    @Arg('input', () => PublishArticleInput) input: PublishArticleInput,
    @Ctx() { load, viewer, writeServices }: MutationContext,
  ) {
    const authorId = await requireWriter(viewer);
    const title = checkedText('input.title', input.title, TITLE);
    const body = checkedText('input.body', input.body, BODY);
    const given = input.tags ?? [];
    const tags = [...new Set(given.map((tag, n) => checkedText(`input.tags[${n}]`, tag, TAG)))];
    const article = await spendOnPost(
      writeServices,
      authorId,
      input,
      () => publishArticle(writeServices, authorId, input.idempotencyKey ?? null, { title, body, tags }),
      ({ publishedAt }) => publishedAt,
    );
    load.forget();
    return { article };
  }

  @Reads(rowsOf(comments), rowsOf(articles), rowsOf(relations), ...VIEWER_READS)
  @Mutation(() => AddCommentPayload, {
    nullable: true,
    description:
      'Comments on an article as the caller; the comment is in all lists when this answers. Fails with `UNAUTHENTICATED` without a user, `NOT_FOUND`, `BAD_USER_INPUT`, `FORBIDDEN` with the reason `BLOCKED`, `CONFLICT` for a key that was used with other content, or `RATE_LIMITED` for many posts within an hour, or many bytes within a day.',
  })
  async addComment(
    @Arg('input', () => AddCommentInput) input: AddCommentInput,
    @Ctx() { load, viewer, writeServices }: MutationContext,
  ) {
    const authorId = await requireWriter(viewer);
    const articleId = idIn('Article', input.articleId, 'input.articleId');
    const body = checkedText('input.body', input.body, COMMENT);
    const comment = await spendOnPost(
      writeServices,
      authorId,
      input,
      () => addComment(writeServices, authorId, input.idempotencyKey ?? null, { articleId, body }),
      ({ createdAt }) => createdAt,
    );
    load.forget();
    return { comment };
  }
}
