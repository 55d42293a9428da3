import { createServer } from 'node:http';
import type { types } from 'cassandra-driver';
import { encodeNodeId } from '../src/kit/graphql/global-id';
import { newsReads, WHOLE_LIST } from './news/raw-reads';
import { leastPage } from './pages/raw-reads';
import { rawClient } from './raw-client';

// Does the same reads as the GraphQL server by hand, with node:http, the driver and JSON. Reads that do not depend on
// each other run at the same time; many keys of one table are one request. `M` is the least that could be read: one
// partition of the timeline, and the counts. `P` is one partition of an author's tweets and nothing else. `page` is the least
// for a page of any list: one partition that has its rows.

const tweet =
  'CAST(tweet_id AS text) AS tid, CAST(author_id AS text) AS aid, content, created_at, language, location, hashtags, mentions, CAST(in_reply_to_id AS text) AS r, CAST(shared_tweet_id AS text) AS s, CAST(quoted_tweet_id AS text) AS q';
const profile =
  'SELECT CAST(user_id AS text) AS uid, username, name, description, twitter_account, created_at FROM users';
const reads = {
  user: `${profile} WHERE user_id = ?`,
  users: `${profile} WHERE user_id IN ?`,
  timeline: `SELECT ${tweet} FROM timelines_by_user WHERE user_id = ? AND bucket = ? LIMIT 26`,
  tweets: `SELECT ${tweet} FROM tweets_by_author WHERE author_id = ? AND bucket = ? LIMIT 26`,
  partition: `SELECT ${tweet} FROM tweets_by_author WHERE author_id = ? AND bucket = ? LIMIT ?`,
  counts:
    'SELECT CAST(tweet_id AS text) AS tid, imported_likes, imported_shares, imported_replies FROM tweet_counts WHERE tweet_id IN ?',
};

const [contactPoint = '', keyspace = ''] = process.argv.slice(2);
const client = rawClient(contactPoint, keyspace);

async function read(name: keyof typeof reads, params: unknown[]): Promise<types.Row[]> {
  return execute(reads[name], params);
}

async function execute(cql: string, params: unknown[]): Promise<types.Row[]> {
  return (await client.execute(cql, params)).rows;
}

async function partition(authorId: string, limit: string): Promise<unknown> {
  const rows = await read('partition', [authorId, WHOLE_LIST, Number(limit)]);
  return rows.map((row) => ({
    id: encodeNodeId('Tweet', String(row['tid'])),
    content: String(row['content']),
    createdAt: row['created_at'] as Date,
    language: String(row['language']),
    hashtags: (row['hashtags'] as string[] | null) ?? [],
  }));
}

async function page(kind: string, userId: string): Promise<unknown> {
  const list = kind === 'A' ? 'tweets' : 'timeline';
  if (kind !== 'M') {
    const [user] = await read('user', [userId]);
    if (!user) return null;
  }
  const rows = (await read(list, [userId, WHOLE_LIST])).slice(0, 25);
  const [people, counts] = await Promise.all([
    kind === 'M' ? [] : read('users', [[...new Set(rows.map((row) => String(row['aid'])))]]),
    kind === 'H' || kind === 'M' ? read('counts', [rows.map((row) => String(row['tid']))]) : [],
  ]);
  const personOf = new Map(people.map((row) => [row['uid'], row]));
  const countOf = new Map(counts.map((row) => [row['tid'], row]));
  return rows.map((row) => {
    const person = personOf.get(row['aid']);
    return {
      id: encodeNodeId('Tweet', String(row['tid'])),
      content: String(row['content']),
      createdAt: row['created_at'] as Date,
      ...(countOf.size > 0 && { likeCount: Number(countOf.get(row['tid'])?.['imported_likes']) }),
      ...(person && {
        author: {
          userId: String(person['uid']),
          username: String(person['username']),
          name: String(person['name']),
        },
      }),
    };
  });
}

const server = createServer((request, response) => {
  const [, kind = '', userId = '', limit = ''] = (request.url ?? '').split('/');
  const list =
    kind === 'page'
      ? leastPage(execute, userId, decodeURIComponent(limit))
      : kind === 'P'
        ? partition(userId, limit)
        : (newsReads[kind]?.(execute, userId) ?? page(kind, userId));
  list.then(
    (nodes) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ nodes }));
    },
    (error: unknown) => {
      response.writeHead(500).end(String(error));
    },
  );
});
void client.connect().then(() => server.listen(Number(process.env['PORT']), '127.0.0.1'));
