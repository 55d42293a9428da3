import type { Database } from '../../src/kit/cassandra/database';
import { encodeNodeId } from '../../src/kit/relay/node';
import { randomFrom } from '../../src/kit/base/random';
import type { PageQuestion } from './questions';

/** A person or a tweet whose list is asked for. */
export interface Subject {
  readonly id: string;
  /** The value of the query's variable: a username, or the global id of a tweet. */
  readonly variable: string;
}

/** The people and tweets that are asked about, by the kind of the question. */
export type Subjects = Readonly<Record<PageQuestion['of'], readonly Subject[]>>;

/** How many people are sampled with equal chances, and how many tweets of each kind. */
const SAMPLE = 150;
/** How many of the people with the most followers, and of those with the most tweets, are asked about as well. */
const GREATEST = 5;
const SEED = 17;

/**
 * Draws a sample of everybody in a keyspace, with the people who have the most followers or tweets; of the tweets that have
 * replies; and of those that somebody likes. Reads whole tables. The same data gives the same sample.
 */
export async function drawSubjects(database: Database): Promise<Subjects> {
  const names = new Map<string, string>();
  for await (const row of database.stream('SELECT CAST(user_id AS text) AS id, username FROM users', []))
    names.set(textIn(row, 'id'), textIn(row, 'username'));
  const greatest = await greatestPeople(database);
  const people = new Set([...greatest, ...sampleOf([...names.keys()])]);
  const stored = await distinct(database, 'SELECT CAST(tweet_id AS text) AS id FROM tweets', (row) =>
    textIn(row, 'id'),
  );
  const replied = await distinct(database, 'SELECT CAST(in_reply_to_id AS text) AS id FROM tweets', (row) =>
    textIn(row, 'id'),
  );
  // Imported replies may name tweets that are not here.
  const isStored = new Set(stored);
  const liked = await distinct(
    database,
    'SELECT CAST(owner AS text) AS id, list, present FROM tallies',
    (row) => (Reflect.get(row, 'list') === 'likes' && Reflect.get(row, 'present') ? textIn(row, 'id') : ''),
  );
  const tweet = (id: string): Subject => ({ id, variable: encodeNodeId('Tweet', id) });
  return {
    person: [...people].flatMap((id) => {
      const username = names.get(id);
      return username === undefined ? [] : [{ id, variable: username }];
    }),
    replied: sampleOf(replied.filter((id) => isStored.has(id))).map(tweet),
    liked: sampleOf(liked.filter((id) => isStored.has(id))).map(tweet),
  };
}

/** The ids of the people with the most followers and of those with the most tweets. */
async function greatestPeople(database: Database): Promise<string[]> {
  const cql =
    'SELECT CAST(user_id AS text) AS id, follower_count, followers, tweet_count, tweets FROM user_counts';
  const counts: { id: string; followers: number; tweets: number }[] = [];
  const sum = (row: object, ...columns: string[]) =>
    columns.reduce((total, column) => total + Number(Reflect.get(row, column) ?? 0), 0);
  for await (const row of database.stream(cql, []))
    counts.push({
      id: textIn(row, 'id'),
      followers: sum(row, 'follower_count', 'followers'),
      tweets: sum(row, 'tweet_count', 'tweets'),
    });
  return (['followers', 'tweets'] as const).flatMap((by) =>
    counts
      .toSorted((a, b) => b[by] - a[by])
      .slice(0, GREATEST)
      .map(({ id }) => id),
  );
}

/** The different ids in the rows of a statement; rows whose id is '' are left out. */
async function distinct(database: Database, cql: string, idOf: (row: object) => string): Promise<string[]> {
  const ids = new Set<string>();
  for await (const row of database.stream(cql, [])) ids.add(idOf(row));
  ids.delete('');
  return [...ids];
}

/** Up to `SAMPLE` of the ids, each with the same chance. */
function sampleOf(ids: readonly string[]): string[] {
  const random = randomFrom(SEED);
  return ids
    .toSorted()
    .map((id) => ({ id, order: random() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, SAMPLE)
    .map(({ id }) => id);
}

function textIn(row: object, column: string): string {
  return String(Reflect.get(row, column) ?? '');
}
