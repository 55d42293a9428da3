import type { types } from 'cassandra-driver';
import { decodeNodeId } from '../../src/kit/graphql/global-id';
import { FLOOR } from './floor';
import { pageQuestions, type PageQuestion } from './questions';

/** Reads rows by a statement. */
type Read = (cql: string, params: unknown[]) => Promise<types.Row[]>;

const tweet = 'CAST(tweet_id AS text) AS tid, content, created_at';
const statements = {
  name: 'SELECT CAST(user_id AS text) AS uid FROM users_by_username WHERE username_folded = ?',
  tweet: `SELECT ${tweet} FROM tweets WHERE tweet_id = ?`,
  article: 'SELECT title, body, published_at FROM articles WHERE article_id = ?',
  page: `SELECT ${tweet}, CAST(counted_id AS text) AS cid, CAST(user_id AS text) AS uid FROM ${FLOOR} WHERE page = ? LIMIT 25`,
  tweets: `SELECT ${tweet} FROM tweets WHERE tweet_id IN ?`,
  users: 'SELECT CAST(user_id AS text) AS uid, username, name FROM users WHERE user_id IN ?',
  counts: 'SELECT CAST(tweet_id AS text) AS tid, imported_likes, likes FROM tweet_counts WHERE tweet_id IN ?',
};

/** What is looked up before the page: a name, a tweet or an article; nothing for a day, a hashtag or a word. */
const lookups: Readonly<Record<PageQuestion['of'], 'name' | 'tweet' | 'article' | null>> = {
  person: 'name',
  writer: 'name',
  replied: 'tweet',
  liked: 'tweet',
  article: 'article',
  day: null,
  newsDay: null,
  hashtag: null,
  word: null,
};

/** How many statements the driver alone sends: the lookup, the page, and the joins. */
export function leastStatements({ of, joins }: PageQuestion): number {
  return (lookups[of] === null ? 1 : 2) + joins.length;
}

/**
 * Reads a page with the fewest statements: the lookup, one partition with the rows of the page, and one `IN`
 * request for each table that is joined. Resolves to the nodes or edges, as GraphQL answers them.
 */
export async function leastPage(read: Read, questionIndex: string, variable: string): Promise<unknown> {
  const question = pageQuestions[Number(questionIndex)];
  if (!question) throw new Error(`There must be a question ${questionIndex}, but there is none.`);
  const id = await idOf(read, question, variable);
  const rows = await read(statements.page, [`${question.name} ${id}`]);
  const joined = (table: 'users' | 'counts' | 'tweets', column: 'uid' | 'tid' | 'cid') =>
    question.joins.includes(table) && rows.length > 0
      ? read(statements[table], [[...new Set(rows.map((row) => String(row[column])))]])
      : Promise.resolve([]);
  const [people, counts, tweets] = await Promise.all([
    joined('users', 'uid'),
    joined('counts', 'cid'),
    joined('tweets', 'tid'),
  ]);
  const personOf = new Map(people.map((row) => [row['uid'], personIn(row)]));
  const countOf = new Map(
    counts.map((row) => [row['tid'], Number(row['imported_likes'] ?? 0) + Number(row['likes'] ?? 0)]),
  );
  const tweetOf = new Map(tweets.map((row) => [row['tid'], row]));
  return rows.map((row) => {
    const person = personOf.get(row['uid']);
    const at = row['created_at'] as Date;
    if (question.rows === 'people')
      return { [question.of === 'liked' ? 'likedAt' : 'followedAt']: at, node: person };
    if (question.rows === 'articles') return { title: String(row['content']), publishedAt: at };
    if (question.rows === 'comments') return { body: String(row['content']), createdAt: at, author: person };
    const shown = tweetOf.get(row['tid']) ?? row;
    return {
      tweetId: String(shown['tid']),
      content: String(shown['content']),
      createdAt: shown['created_at'] as Date,
      ...(question.joins.includes('counts') && { likeCount: countOf.get(row['cid']) ?? 0 }),
      ...(question.joins.includes('users') && { author: person }),
    };
  });
}

/** The id of what is asked about. The row is read even if the variable has the id, because GraphQL looks whether it exists. */
async function idOf(read: Read, { of }: PageQuestion, variable: string): Promise<string> {
  const lookup = lookups[of];
  if (lookup === null) return variable;
  if (lookup === 'name') {
    const [row] = await read(statements.name, [variable.toLowerCase()]);
    return String(row?.['uid'] ?? variable);
  }
  const { id } = decodeNodeId(variable);
  await read(statements[lookup], [id]);
  return id;
}

function personIn(row: types.Row) {
  return { userId: String(row['uid']), username: String(row['username']), name: String(row['name']) };
}
