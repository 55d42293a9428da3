import { randomUUID } from 'node:crypto';
import { minuteOf } from '../../kit/base/period';
import { keepRenewing } from '../../kit/base/renewal';
import type { Database } from '../../kit/cassandra/database';
import { writeOf } from '../../kit/cassandra/write';
import { RENEWED_EVERY_MS } from '../../features/tweet/tweet-invalidations';
import { MAX_INVALIDATIONS_READ, tweetInvalidations, TWEETS_PER_ROW } from '../../features/tweet/tweet.table';
import type { WriteServices } from '../write-services';

/** The tweets that a server has invalidated in a minute. */
interface Gathered {
  readonly minute: number;
  readonly rowOf: Map<string, GatheredRow>;
  /** The row to which tweets are added; null if there is none. */
  last: GatheredRow | null;
  readonly rows: GatheredRow[];
}

interface GatheredRow {
  readonly server: string;
  readonly part: number;
  readonly tweetIds: string[];
  /** The last write of the row. */
  write: Promise<void>;
}

/** A server's part of the table. Rows of a database connection have a name of their own, so that no two write the same row. */
interface Own {
  readonly server: string;
  nextPart: number;
  gathered: Gathered;
}

const servers = new WeakMap<Database, Own>();

/**
 * Makes servers read tweets again. This comes before a deletion removes anything, or an import changes a tweet. A server writes the tweets of
 * a minute into few rows, because the others read only `MAX_INVALIDATIONS_READ` of them. It writes no more rows than that: when all are
 * stored, they tell the others to read all tweets again.
 */
export async function invalidateTweets(
  database: Database,
  tweetIds: readonly string[],
  at = new Date(),
): Promise<void> {
  const minute = minuteOf(at);
  let own = servers.get(database);
  if (own === undefined)
    servers.set(database, (own = { server: randomUUID(), nextPart: 0, gathered: nothing(minute) }));
  if (own.gathered.minute !== minute) own.gathered = nothing(minute);
  const { rows } = own.gathered;
  const store = (row: GatheredRow) => {
    // Each write has a later timestamp than the one before, and all tweets of that.
    const { server, part, tweetIds: ofRow } = row;
    const { query, params } = writeOf(tweetInvalidations, { minute, server, part, tweetIds: [...ofRow] });
    row.write = database.write(query, params);
    return row.write;
  };
  const changed = new Set<GatheredRow>();
  let hasRows = true;
  for (const tweetId of tweetIds) {
    const row = rowFor(own, tweetId);
    if (row) changed.add(row);
    else hasRows = false;
  }
  await Promise.all(Array.from(changed, store));
  // Other calls write these rows, and may fail to.
  if (!hasRows) await Promise.all(rows.map((row) => row.write.catch(() => store(row))));
}

function nothing(minute: number): Gathered {
  return { minute, rowOf: new Map(), last: null, rows: [] };
}

/** The row of this minute that has a tweet, to which it is added if there is none; null if there are enough rows. */
function rowFor(own: Own, tweetId: string): GatheredRow | null {
  const { gathered } = own;
  let row = gathered.rowOf.get(tweetId) ?? null;
  if (row !== null) return row;
  row = gathered.last;
  if (row === null || row.tweetIds.length >= TWEETS_PER_ROW) {
    if (gathered.rows.length >= MAX_INVALIDATIONS_READ) return null;
    // The number is never that of an earlier row: a clock that is set back comes to a minute again.
    row = { server: own.server, part: own.nextPart++, tweetIds: [], write: Promise.resolve() };
    gathered.last = row;
    gathered.rows.push(row);
  }
  row.tweetIds.push(tweetId);
  gathered.rowOf.set(tweetId, row);
  return row;
}

/**
 * Makes servers read a deleted tweet again and leave out its shares, until the returned function is called, `isNeeded` resolves
 * to false, or the server stops. A server that takes the deletion over invalidates the tweet itself.
 */
export async function keepInvalidating(
  { database, outbox: { stopping } }: Pick<WriteServices, 'outbox'> & { readonly database: Database },
  tweetId: string,
  isNeeded: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<() => void> {
  const renew = async () => {
    if (!stopping.aborted && (await isNeeded())) await invalidateTweets(database, [tweetId]);
    else stop();
  };
  await invalidateTweets(database, [tweetId]);
  const stop = keepRenewing(renew, RENEWED_EVERY_MS);
  return stop;
}
