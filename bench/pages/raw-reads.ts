import type { types } from 'cassandra-driver';
import { decodeNodeId } from '../../src/kit/relay/node';
import { FLOOR } from './floor';
import { pageQuestions, type PageQuestion } from './questions';

/** Reads rows by a statement. */
type Read = (cql: string, params: unknown[]) => Promise<types.Row[]>;

const tweet = 'CAST(tweet_id AS text) AS tid, content, created_at';
const statements = {
  name: 'SELECT CAST(user_id AS text) AS uid FROM users_by_username WHERE username_folded = ?',
  tweet: `SELECT ${tweet} FROM tweets WHERE tweet_id = ?`,
  page: `SELECT ${tweet}, CAST(counted_id AS text) AS cid, CAST(user_id AS text) AS uid FROM ${FLOOR} WHERE page = ? LIMIT 25`,
  tweets: `SELECT ${tweet} FROM tweets WHERE tweet_id IN ?`,
  users: 'SELECT CAST(user_id AS text) AS uid, username, name FROM users WHERE user_id IN ?',
  counts: 'SELECT CAST(tweet_id AS text) AS tid, like_count, likes FROM tweet_counts WHERE tweet_id IN ?',
};

/** How many statements the driver alone sends: the name or tweet, the page, and the joins. */
export function leastStatements({ joins }: PageQuestion): number {
  return 2 + joins.length;
}

/**
 * Reads a page with the fewest statements: the name or the tweet, one partition with the rows of the page, and one `IN`
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
    counts.map((row) => [row['tid'], Number(row['like_count'] ?? 0) + Number(row['likes'] ?? 0)]),
  );
  const tweetOf = new Map(tweets.map((row) => [row['tid'], row]));
  const at = question.of === 'liked' ? 'likedAt' : 'followedAt';
  return rows.map((row) => {
    if (question.rows === 'people')
      return { [at]: row['created_at'] as Date, node: personOf.get(row['uid']) };
    const shown = tweetOf.get(row['tid']) ?? row;
    return {
      tweetId: String(shown['tid']),
      content: String(shown['content']),
      createdAt: shown['created_at'] as Date,
      ...(question.joins.includes('counts') && { likeCount: countOf.get(row['cid']) ?? 0 }),
      ...(question.joins.includes('users') && { author: personOf.get(row['uid']) }),
    };
  });
}

/** The id of the person or tweet. The row is read even if the variable has the id, because GraphQL looks whether it exists. */
async function idOf(read: Read, { of }: PageQuestion, variable: string): Promise<string> {
  if (of === 'person') {
    const [row] = await read(statements.name, [variable.toLowerCase()]);
    return String(row?.['uid'] ?? variable);
  }
  const { id } = decodeNodeId(variable);
  await read(statements.tweet, [id]);
  return id;
}

function personIn(row: types.Row) {
  return { userId: String(row['uid']), username: String(row['username']), name: String(row['name']) };
}
