import type { ListRows } from '../../kit/data/row-writer';
import { dayOf, EVERYBODY, monthOf } from '../../kit/data/buckets';
import { writeOf } from '../../kit/data/write';
import type { CopiedArticle, CopiedUser } from './copied';
import {
  type ArticleRow,
  articlesByDay,
  articlesByUser,
  authorCommentsByArticle,
  type CommentRow,
  commentsByArticle,
  commentsByAuthor,
  commentsByDay,
} from '../../news/news.table';

/** The rows of an article in lists. Their write timestamp is that of the author's name and description, which they copy. */
export function articleRowsOf(article: ArticleRow, author: CopiedUser): ListRows {
  const { authorId, publishedAt } = article;
  const bucket = monthOf(publishedAt);
  const authorName = author.name;
  // An empty text overwrites an older description. A null would leave it.
  const ofUser = { ...article, bucket, authorName, authorDescription: author.description ?? '' };
  const ofDay = { ...article, day: publishedAt.toISOString().slice(0, 10), authorName };
  return {
    writes: [writeOf(articlesByUser, ofUser, author), writeOf(articlesByDay, ofDay, author)],
    listBuckets: [{ list: articlesByUser.name, owner: authorId, bucket }],
  };
}

/** The rows of a comment in lists, without that of `commentOfDay`: updates of copies find that one by one of these. */
export function commentRowsOf(comment: CommentRow, articleAuthorId: string): ListRows {
  const { articleId, authorId, commentId, createdAt } = comment;
  const bucket = monthOf(createdAt);
  const writes = [
    writeOf(commentsByAuthor, { authorId, bucket, commentId }),
    writeOf(commentsByArticle, { ...comment, bucket }),
  ];
  const listBuckets = [
    { list: commentsByAuthor.name, owner: authorId, bucket },
    { list: commentsByArticle.name, owner: articleId, bucket },
  ];
  if (authorId === articleAuthorId) {
    writes.push(writeOf(authorCommentsByArticle, { ...comment, bucket }));
    listBuckets.push({ list: authorCommentsByArticle.name, owner: articleId, bucket });
  }
  return { writes, listBuckets };
}

/**
 * The row of a comment in the list of its day, which copies the article's title and the author's name. Its write timestamp is
 * that of the title or the name, whichever is later.
 */
export function commentOfDay(comment: CommentRow, article: CopiedArticle, author: CopiedUser): ListRows {
  const bucket = dayOf(comment.createdAt);
  const row = { ...comment, bucket, articleTitle: article.title, authorName: author.name };
  return {
    writes: [writeOf(commentsByDay, row, { at: Math.max(article.at, author.at) })],
    listBuckets: [{ list: commentsByDay.name, owner: EVERYBODY, bucket }],
  };
}
