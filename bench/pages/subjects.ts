import type { Database } from '../../src/kit/cassandra/database';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { randomFrom } from '../../src/kit/base/random';
import { boundsOf, kindOf, type Kind, type KindBounds, type PersonCounts } from './kinds';
import type { PageQuestion } from './questions';

/** A person, a tweet or something else whose list is asked for. */
export interface Subject {
  readonly id: string;
  /** The value of the query's variable: a username, the global id of a tweet or article, a day, a hashtag or a word. */
  readonly variable: string;
  /** The kind of a person. */
  readonly kind?: Kind;
}

/** Those that are asked about, by the kind of the question, and where the kinds of people begin. */
export interface Subjects {
  readonly of: Readonly<Record<PageQuestion['of'], readonly Subject[]>>;
  readonly bounds: KindBounds;
}

/** How many people are sampled with equal chances, and how many tweets of each kind, articles and days. */
const SAMPLE = 150;
/** How many of the people with the most followers, and of those with the most tweets, are asked about as well. */
const GREATEST = 5;
const SEED = 17;

/**
 * Draws a sample of everybody in a keyspace, with the people who have the most followers or tweets; of people who publish; of
 * the tweets that have replies; of those that somebody likes; of articles with comments; of days; and of the hashtags and
 * words of a sample of tweets, so that the common ones are drawn more often. Reads whole tables. The same data gives the
 * same sample.
 */
export async function drawSubjects(database: Database): Promise<Subjects> {
  const { names, countsOf } = await readPeople(database);
  const bounds = boundsOf([...names.keys()].map(countsOf));
  const people = (ids: Iterable<string>) =>
    [...ids].flatMap((id): Subject[] => {
      const variable = names.get(id);
      return variable === undefined ? [] : [{ id, variable, kind: kindOf(countsOf(id), bounds) }];
    });
  const greatest = (['followers', 'tweets'] as const).flatMap((by) =>
    [...names.keys()].sort((a, b) => countsOf(b)[by] - countsOf(a)[by]).slice(0, GREATEST),
  );
  const tweets = await readTweets(database);
  const { articles, writers, newsDays } = await readArticles(database);
  const liked = await distinct(
    database,
    'SELECT CAST(owner AS text) AS id, list, present FROM tallies',
    (row) => (Reflect.get(row, 'list') === 'likes' && Reflect.get(row, 'present') ? textIn(row, 'id') : ''),
  );
  const commented = await distinct(database, 'SELECT CAST(article_id AS text) AS id FROM comments', (row) =>
    textIn(row, 'id'),
  );
  // Imported replies and likes may name tweets that are not here.
  const stored = (ids: Iterable<string>, among: ReadonlySet<string>, type: 'Tweet' | 'Article') =>
    sampleOf([...ids].filter((id) => among.has(id))).map((id) => ({ id, variable: encodeNodeId(type, id) }));
  const named = (texts: Iterable<string>) => [...texts].map((text) => ({ id: text, variable: text }));
  return {
    bounds,
    of: {
      person: people(new Set([...greatest, ...sampleOf(names.keys())])),
      writer: people(sampleOf(writers)),
      replied: stored(tweets.replied, tweets.ids, 'Tweet'),
      liked: stored(liked, tweets.ids, 'Tweet'),
      article: stored(commented, articles, 'Article'),
      day: named(sampleOf(tweets.days)),
      newsDay: named(sampleOf(newsDays)),
      hashtag: named(await hashtagsOf(database, sampleOf(tweets.tagged))),
      word: named(await wordsOf(database, sampleOf(tweets.ids))),
    },
  };
}

/** The usernames of all people, by id, and what they have posted. */
async function readPeople(database: Database) {
  const names = new Map<string, string>();
  for await (const row of database.stream('SELECT CAST(user_id AS text) AS id, username FROM users', []))
    names.set(textIn(row, 'id'), textIn(row, 'username'));
  const counts = new Map<string, PersonCounts>();
  const cql =
    'SELECT CAST(user_id AS text) AS id, imported_followers, followers, imported_tweets, tweets FROM user_counts';
  const sum = (row: object, ...columns: string[]) =>
    columns.reduce((total, column) => total + Number(Reflect.get(row, column) ?? 0), 0);
  for await (const row of database.stream(cql, []))
    counts.set(textIn(row, 'id'), {
      followers: sum(row, 'imported_followers', 'followers'),
      tweets: sum(row, 'imported_tweets', 'tweets'),
    });
  return { names, countsOf: (id: string) => counts.get(id) ?? { followers: 0, tweets: 0 } };
}

/** The ids of all tweets, of those with replies and of those with hashtags, and the days that have tweets. */
async function readTweets(database: Database) {
  const ids = new Set<string>();
  const replied = new Set<string>();
  const tagged = new Set<string>();
  const days = new Set<string>();
  const cql =
    'SELECT CAST(tweet_id AS text) AS id, CAST(in_reply_to_id AS text) AS replied, hashtags, created_at FROM tweets';
  for await (const row of database.stream(cql, [])) {
    const id = textIn(row, 'id');
    ids.add(id);
    replied.add(textIn(row, 'replied'));
    if (Reflect.get(row, 'hashtags') !== null) tagged.add(id);
    days.add(dayIn(row, 'created_at'));
  }
  return { ids, replied, tagged, days };
}

/** The ids of all articles and of their authors, and the days that have articles. */
async function readArticles(database: Database) {
  const articles = new Set<string>();
  const writers = new Set<string>();
  const newsDays = new Set<string>();
  const cql =
    'SELECT CAST(article_id AS text) AS id, CAST(author_id AS text) AS author, published_at FROM articles';
  for await (const row of database.stream(cql, [])) {
    articles.add(textIn(row, 'id'));
    writers.add(textIn(row, 'author'));
    newsDays.add(dayIn(row, 'published_at'));
  }
  return { articles, writers, newsDays };
}

/** The first hashtag of each tweet. */
async function hashtagsOf(database: Database, tweetIds: readonly string[]): Promise<Set<string>> {
  const rows = await database.read('SELECT hashtags FROM tweets WHERE tweet_id IN ?', [tweetIds]);
  return new Set(rows.flatMap((row) => (Reflect.get(row, 'hashtags') as string[] | null)?.[0] ?? []));
}

/** A word of Latin letters of each tweet, if it has one: the first, web addresses aside. */
async function wordsOf(database: Database, tweetIds: readonly string[]): Promise<Set<string>> {
  const rows = await database.read('SELECT content FROM tweets WHERE tweet_id IN ?', [tweetIds]);
  const texts = rows.map((row) => textIn(row, 'content').replaceAll(/https?:\S+/g, ''));
  return new Set(texts.flatMap((text) => /\p{Script=Latin}{2,50}/u.exec(text)?.[0].toLowerCase() ?? []));
}

/** The different ids in the rows of a statement; rows whose id is '' are left out. */
async function distinct(database: Database, cql: string, idOf: (row: object) => string): Promise<string[]> {
  const ids = new Set<string>();
  for await (const row of database.stream(cql, [])) ids.add(idOf(row));
  ids.delete('');
  return [...ids];
}

/** Up to `SAMPLE` of the ids, each with the same chance. */
function sampleOf(ids: Iterable<string>): string[] {
  const random = randomFrom(SEED);
  return [...ids]
    .sort()
    .map((id) => ({ id, order: random() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, SAMPLE)
    .map(({ id }) => id);
}

function textIn(row: object, column: string): string {
  return String(Reflect.get(row, column) ?? '');
}

function dayIn(row: object, column: string): string {
  return (Reflect.get(row, column) as Date).toISOString().slice(0, 10);
}
