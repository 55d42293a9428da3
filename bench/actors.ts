import { answering, startChild } from './child';
import { serving, shipped, withDatabase, type Stage } from './stage';

/** The ports of our server and of the raw server, both for writes. */
export interface Actors {
  readonly ours: number;
  readonly raw: number;
}

const ports = { ours: 4811, raw: 4812 };

/** The tables that raw likes and comments need in addition to ours. */
const tables = [
  'CREATE TABLE IF NOT EXISTS bench_likes (tweet_id bigint, user_id bigint, PRIMARY KEY ((tweet_id, user_id)))',
  'CREATE TABLE IF NOT EXISTS bench_like_counts (tweet_id bigint PRIMARY KEY, likes counter)',
  'CREATE TABLE IF NOT EXISTS bench_comment_counts (article_id bigint PRIMARY KEY, comments counter)',
];

/** Runs `act` with both servers on one keyspace. All tweets are pushed. */
export async function withActors<T>(
  { contactPoint }: Stage,
  keyspace: string,
  act: (actors: Actors) => Promise<T>,
): Promise<T> {
  await withDatabase(contactPoint, keyspace, async (database) => {
    for (const table of tables) await database.run(table);
  });
  const env = { ...shipped(contactPoint, keyspace), FANOUT_PUSH_LIMIT: '20000' };
  const children = {
    ours: startChild('src/main.js', [], { ...env, PORT: String(ports.ours) }, serving),
    raw: startChild('bench/raw-acts.js', [contactPoint, keyspace], { PORT: String(ports.raw) }, serving),
  };
  try {
    await answering(`http://127.0.0.1:${ports.ours}/health/ready`);
    await answering(`http://127.0.0.1:${ports.raw}/`);
    return await act(ports);
  } finally {
    await Promise.all([children.ours.stop(), children.raw.stop()]);
  }
}
