import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { Context } from '../context';
import { badInput } from '../kit/errors';
import { writtenText } from '../kit/input-text';
import { Reads, rowsOf } from '../kit/cost/reads';
import { idIn } from '../kit/relay/node';
import { requireViewer } from '../viewer/viewer';
import { VIEWER_READS } from '../viewer/viewer-reads';
import { addComment } from './comment';
import { AddCommentInput, PublishArticleInput } from './news.input';
import { articles, comments } from './news.table';
import { ArticlePayload, CommentPayload } from './news.type';
import { publish } from './publish';

const MOST_OF_TITLE = 200;
const MOST_OF_BODY = 50_000;
const MOST_TAGS = 20;
const MOST_OF_TAG = 50;
const MOST_OF_COMMENT = 5000;

/** Publishing and commenting, by the caller's user. */
@Resolver()
export class NewsMutations {
  @Reads(rowsOf(articles), ...VIEWER_READS)
  @Mutation(() => ArticlePayload, {
    description:
      'Publishes an article of the caller: it is in all lists when this answers. With an `idempotencyKey` it is safe to repeat. `UNAUTHENTICATED` without a user, `BAD_USER_INPUT`, `CONFLICT` for a key that came with other content. Writes a row each of `articles`, `articles_by_user` and `articles_by_day` (a key: a lightweight transaction).',
  })
  async publishArticle(
    @Arg('input', () => PublishArticleInput) input: PublishArticleInput,
    @Ctx() { load, viewer, writing }: Context,
  ) {
    const authorId = await requireViewer(viewer);
    const title = writtenText('title', input.title, MOST_OF_TITLE);
    const body = writtenText('body', input.body, MOST_OF_BODY);
    const tags = [...new Set(input.tags ?? [])].map((tag) => writtenText('A tag', tag, MOST_OF_TAG));
    if (tags.length > MOST_TAGS)
      throw badInput(`There are at most ${MOST_TAGS} tags, but got ${tags.length}.`);
    const article = await publish(writing, authorId, input.idempotencyKey ?? null, { title, body, tags });
    load.forget();
    return { article };
  }

  @Reads(rowsOf(comments), rowsOf(articles), ...VIEWER_READS)
  @Mutation(() => CommentPayload, {
    description:
      'Has the caller comment on an article: it is in all lists when this answers. With an `idempotencyKey` it is safe to repeat. `UNAUTHENTICATED` without a user, `BAD_USER_INPUT`, `NOT_FOUND`, `CONFLICT` for a key that came with other content. Writes a row each of `comments`, `comments_by_article`, `comments_by_day`, `comments_by_author` and, by the author of the article, `author_comments_by_article`, and a lightweight transaction on `tallies` (one more for a key).',
  })
  async addComment(
    @Arg('input', () => AddCommentInput) input: AddCommentInput,
    @Ctx() { load, viewer, writing }: Context,
  ) {
    const authorId = await requireViewer(viewer);
    const articleId = idIn('Article', input.articleId);
    const body = writtenText('body', input.body, MOST_OF_COMMENT);
    const comment = await addComment(writing, authorId, input.idempotencyKey ?? null, { articleId, body });
    load.forget();
    return { comment };
  }
}
