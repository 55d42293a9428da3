import { dayList } from '../../kit/lists/day-list';
import { authorName, commentColumns, headColumns, title } from './news.table';

/** After how many rows a partition of a day is full: 50 MB of the longest articles, 100 MB of the longest comments, some MB of usual ones. */
const FULL_ROWS_OF_DAYS = 2000;

/** A day's articles, newest first, with their authors' names. Their texts are read by id: with them, a partition would have 200 MB before it is split. */
export const articlesByDay = dayList(
  'articles_by_day',
  { authorName, ...headColumns },
  {
    writeLoad: { rows: { article: 1 }, bytes: 200 },
    moment: 'publishedAt',
    order: 'articleId',
    fullRows: FULL_ROWS_OF_DAYS,
  },
);

const { body: _, ...commentHeadColumns } = commentColumns;
const commentsOfDay = {
  writeLoad: { rows: { comment: 1 }, bytes: 400 },
  moment: 'createdAt',
  order: 'commentId',
  fullRows: FULL_ROWS_OF_DAYS,
} as const;

/** A day's comments, newest first, with the titles of their articles and the names of their authors. */
export const commentsByDay = dayList(
  'comments_by_day',
  { articleTitle: title, authorName, ...commentColumns },
  commentsOfDay,
);

/** The same without their texts. */
export const commentHeadsByDay = dayList(
  'comments_by_day',
  { articleTitle: title, authorName, ...commentHeadColumns },
  commentsOfDay,
);
