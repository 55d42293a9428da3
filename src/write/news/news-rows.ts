import type { ListRows } from '../../kit/writes/row-writer';
import type { Write } from '../../kit/cassandra/database';
import { dayOf, EVERYBODY } from '../../kit/lists/buckets';
import { removalOf, writeOf } from '../../kit/cassandra/write';
import type { CopiedArticle, CopiedUser } from './copied';
import {
  articlesByUser,
  authorCommentsByArticle,
  commentsByArticle,
  commentsByAuthor,
} from '../../features/news/news.lists';
import { articlesByDay, commentsByDay } from '../../features/news/news-days.lists';
import { type ArticleRow, type CommentRow } from '../../features/news/news.table';

/** The rows of an article in lists, that of the day first: updates of copies find it by that of the user. Their write timestamp is that of the author's name and description, which they copy. */
export function buildArticleRows(article: ArticleRow, author: CopiedUser): Write[] {
  const authorName = author.name;
  // An empty text overwrites an older description. A null would leave it.
  const ofUser = { ...article, authorName, authorDescription: author.description ?? '' };
  const ofDay = { ...article, ...articlesByDay.dayFor(article), authorName };
  return [writeOf(articlesByDay, ofDay, author), writeOf(articlesByUser, ofUser, author)];
}

/** The rows of a comment in lists, without that of `commentOfDay`, which must be there first: updates of copies find it by one of these. */
export function buildCommentRows(comment: CommentRow, articleAuthorId: string): Write[] {
  const { authorId, commentId } = comment;
  return [
    writeOf(commentsByAuthor, { authorId, commentId }),
    writeOf(commentsByArticle, comment),
    ...(authorId === articleAuthorId ? [writeOf(authorCommentsByArticle, comment)] : []),
  ];
}

/** The removals of the rows of a comment in the lists of its day and its article. */
export function buildCommentRemovals(comment: CommentRow): Write[] {
  return [
    commentOfDayRemoval(comment),
    removalOf(commentsByArticle, comment),
    removalOf(authorCommentsByArticle, comment),
  ];
}

/** The removal of the row of a comment in the list of its day. */
export function commentOfDayRemoval(comment: Pick<CommentRow, 'commentId' | 'createdAt'>): Write {
  return removalOf(commentsByDay, { ...comment, ...commentsByDay.dayFor(comment) });
}

/**
 * The row of a comment in the list of its day, which copies the article's title and the author's name. Its write timestamp is
 * that of the title or the name, whichever is later.
 */
export function commentOfDay(comment: CommentRow, article: CopiedArticle, author: CopiedUser): ListRows {
  const bucket = dayOf(comment.createdAt);
  const row = {
    ...comment,
    ...commentsByDay.dayFor(comment),
    articleTitle: article.title,
    authorName: author.name,
  };
  return {
    writes: [writeOf(commentsByDay, row, { at: Math.max(article.at, author.at) })],
    listBuckets: [{ list: commentsByDay.name, owner: EVERYBODY, bucket }],
  };
}
