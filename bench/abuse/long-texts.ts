import { MAX_CONTENT_BYTES, MAX_RAW_BYTES, rawTweets } from '../../src/features/tweet/tweet.table';
import { comments, MAX_COMMENT_BYTES } from '../../src/features/news/news.table';
import { leastIdAt } from '../../src/kit/base/snowflake';
import type { Database } from '../../src/kit/cassandra/database';
import { writeOf } from '../../src/kit/cassandra/write';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { createBulkWriter } from '../../src/kit/writes/bulk';
import { putAll, putRows } from '../../src/kit/writes/row-writer';
import { buildCommentRows, commentOfDay } from '../../src/write/news/news-rows';
import { tweetRows } from '../../src/write/tweet/tweet-rows';
import { graphql } from './send';
import { attack, dearest, flood, type Attack, type Target } from './target';

const COUNT = 200;
const RECORDS = 100;
const AT_ONCE = 10;

/** A day on which nothing else is said. */
const DAY = '2015-06-01';
const idOf = (n: number) => leastIdAt(new Date(Date.parse(`${DAY}T00:00:00Z`) + n));

/** Stores the longest comments of an account, the longest tweets that an import takes, and the longest records of tweets. */
export async function storeLongTexts(database: Database, authorId: string): Promise<void> {
  const writer = () => createBulkWriter(database)();
  const author = { userId: authorId, name: 'author', description: null, at: 1 };
  const about = { articleId: idOf(0), authorId, title: 'article', at: 1 };
  const body = 'x'.repeat(MAX_COMMENT_BYTES);
  for (let n = 0; n < COUNT; n++) {
    const createdAt = new Date(Date.parse(`${DAY}T00:00:00Z`) + n);
    const comment = { commentId: idOf(n), articleId: about.articleId, authorId, body, createdAt };
    const tweet = {
      ...{ tweetId: idOf(n), authorId, content: 'x'.repeat(MAX_CONTENT_BYTES), createdAt, language: 'und' },
      ...{
        location: null,
        hashtags: [],
        mentions: [],
        inReplyToId: null,
        sharedTweetId: null,
        sharedAuthorId: null,
        quotedTweetId: null,
      },
    };
    await putRows(writer(), [commentOfDay(comment, about, author)]);
    await putAll(writer(), [
      writeOf(comments, comment),
      ...buildCommentRows(comment, authorId),
      ...tweetRows(tweet),
    ]);
    if (n < RECORDS)
      await putAll(writer(), [
        writeOf(rawTweets, { tweetId: tweet.tweetId, raw: JSON.stringify('x'.repeat(MAX_RAW_BYTES - 2)) }),
      ]);
  }
}

const day = `day: "${DAY}"`;
const period = `from: "${DAY}T00:00:00Z", to: "${DAY}T01:00:00Z"`;
const aliased = (count: number, field: (n: number) => string) =>
  graphql(`{ ${Array.from({ length: count }, (_, n) => `a${n}: ${field(n)}`).join(' ')} }`);

/** Pages of different sizes, so that no two are one read. */
const commentPages = (count: number, selection: string) =>
  aliased(count, (n) => `comments(${period}, first: ${100 - (n % 50)}) { ${selection} }`);
const tweetPages = (count: number, selection: string) =>
  aliased(count, (n) => `tweetsOfDay(${day}, first: ${100 - (n % 50)}) { ${selection} }`);
const records = (count: number) =>
  graphql('query ($i: [ID!]!) { nodes(ids: $i) { ... on Tweet { raw } } }', {
    i: Array.from({ length: count }, (_, n) => encodeNodeId('Tweet', idOf(n))),
  });

const tweetsOfAuthor = (count: number, { userIds: [author = ''] }: Target) =>
  graphql(
    `{ node(id: "${author}") { ... on User { ${Array.from({ length: count }, (_, n) => `a${n}: tweets(first: ${100 - (n % 50)}) { nodes { content } }`).join(' ')} } } }`,
  );

/** Queries that ask for many long comments, tweets and records of tweets. */
export const longTextAttacks: readonly Attack[] = [
  attack('100 pages of long comments, without their texts', () => ({
    body: commentPages(100, 'pageInfo { hasNextPage }'),
  })),
  dearest('pages of long comments, as many as pass', 100, (n) => ({
    body: commentPages(n, 'nodes { body }'),
  })),
  attack('30 pages of long tweets, of which only ids are asked', () => ({
    body: tweetPages(30, 'nodes { id }'),
  })),
  dearest('pages of long tweets of a day, as many as pass', 100, (n) => ({
    body: tweetPages(n, 'nodes { content }'),
  })),
  dearest('pages of long tweets of an author, as many as pass', 100, (n, target) => ({
    body: tweetsOfAuthor(n, target),
  })),
  dearest('long records of tweets, as many as pass', RECORDS, (n) => ({ body: records(n) })),
  flood(`${AT_ONCE} times 100 long records of tweets, at once`, AT_ONCE, () => ({ body: records(RECORDS) })),
  flood(`${AT_ONCE} times 15 pages of long tweets, at once`, AT_ONCE, () => ({
    body: tweetPages(15, 'nodes { content }'),
  })),
];
