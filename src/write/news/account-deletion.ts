import {
  articlesByUser,
  authorCommentsByArticle,
  commentsByArticle,
  commentsByAuthor,
} from '../../features/news/news.lists';
import { articlesByDay, commentsByDay } from '../../features/news/news-days.lists';
import { articles, comments } from '../../features/news/news.table';
import { clearOwn, undoEach, type DeletionPart } from '../account-deletion';
import { removeArticle, removeComment } from './remove';

/** The news of a person who leaves: comments, and articles with the comments of others on them. */
export const newsDeletionParts: readonly DeletionPart[] = [
  undoEach(commentsByAuthor, {
    phase: 'acts',
    tables: [comments, commentsByDay, commentsByArticle, authorCommentsByArticle],
    undo: (writeServices, _userId, { commentId }) => removeComment(writeServices, commentId),
  }),
  undoEach(articlesByUser, {
    phase: 'acts',
    tables: [articles, articlesByDay],
    undo: (writeServices, _userId, article) => removeArticle(writeServices, article),
  }),
  clearOwn('news', commentsByAuthor, articlesByUser),
];
