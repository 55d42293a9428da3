import type { ArticleRow, CommentRow } from '../features/news/news.table';
import type { News } from '../import/store/news';
import { type Random, randomFrom } from '../kit/base/random';
import { END, idAt, PEOPLE, pickOne, demoUserId } from './network';
import { languages, newsParts } from './words';

const DAY = 86_400_000;

const SEED = 9;

const ARTICLES = 60;

/** How many people write articles besides the first one, `ada`. */
const AUTHORS = 8;

const MAX_COMMENTS = 15;

/**
 * Generates the articles of the last four weeks of the demo network, more from day to day, and the comments on them. They
 * are the same every time.
 */
export function demoNews(): News {
  const random = randomFrom(SEED);
  const articles = Array.from({ length: ARTICLES }, (_, n) => makeArticle(n, random));
  return { articles, comments: articles.flatMap((article) => commentsOn(article, random)) };
}

function makeArticle(n: number, random: Random): ArticleRow {
  const time = END - Math.floor((1 - n / ARTICLES) ** 2 * 28 * DAY);
  const { what, tag } = pickOne(random, newsParts.subjects);
  const event = pickOne(random, newsParts.events);
  const [{ openings, endings }] = languages;
  const sentences = Array.from(
    { length: 4 },
    () => `${pickOne(random, openings)} ${pickOne(random, endings)}`,
  );
  return {
    articleId: idAt(time, n),
    authorId: demoUserId(n % 4 === 0 ? 0 : 1 + Math.floor(random() * AUTHORS)),
    title: `${what} ${event}`,
    body: [`${what} ${event}, as of this week.`, ...sentences].join(' '),
    tags: n % 3 === 0 ? [tag] : [tag, 'town'],
    publishedAt: new Date(time),
  };
}

/** The comments on an article: most within hours of it, and about every fourth by its author. */
function commentsOn({ articleId, authorId, publishedAt }: ArticleRow, random: Random): CommentRow[] {
  const longest = Math.min(3 * DAY, END - Number(publishedAt));
  return Array.from({ length: Math.floor(random() * MAX_COMMENTS) }, (_, n) => {
    const isAnswer = random() < 0.25;
    const time = Number(publishedAt) + 1 + Math.floor(random() ** 3 * longest);
    return {
      commentId: idAt(time, n),
      articleId,
      authorId: isAnswer ? authorId : demoUserId(Math.floor(random() * PEOPLE)),
      body: pickOne(random, isAnswer ? newsParts.answers : newsParts.remarks),
      createdAt: new Date(time),
    };
  });
}
