import type { Write } from '../../src/kit/cassandra/database';
import type { Columns } from '../../src/kit/cassandra/table';
import { buckets, EVERYBODY, monthOf } from '../../src/kit/lists/buckets';
import { writeOf } from '../../src/kit/cassandra/write';
import { rankings } from '../../src/features/ranking/ranking.table';
import { threadEntries } from '../../src/features/thread/thread.lists';
import { quotesByTweet, repliesByTweet } from '../../src/features/tweet/tweet.lists';
import { tweets } from '../../src/features/tweet/tweet.table';
import { follow, person, tweet } from '../support/harness';
import { listsOfActs, rowIn, storedConnections } from '../support/stored-lists';

/** How many items the outermost list of the larger query has, and each list below it. */
export const MANY = 7;
export const NESTED = 3;

// The seed: everybody follows everybody, half of it in January and half in February, and posts in both months, each time
// a reply, quote and share at once, of tweets by people whom nobody follows; those are replied to and liked in both. A page
// of MANY stands in one month at either end of each list of the first user and the first tweet, a page of NESTED in those
// of the others.
export const PEOPLE = 2 * (MANY + 2);
export const userOf = (n: number) => String(1 + n);
export const newestOf = (n: number) => String(200_001 + n);
/** How many tweets of an author are shared, and how many there are: the others stand above these, one above the next. */
const SHARED = 10;
const CHAIN = SHARED + MANY;
const oldOf = (k: number, n: number) => String(1000 + 100 * k + n);
const postsAMonth = (n: number) => (n === 0 ? MANY + 2 : NESTED + 2);
export const everyone = Array.from({ length: PEOPLE }, (_, n) => n);
export const seed = everyone.flatMap((n) => [
  person(userOf(n), `user${String(n)}`),
  ...everyone
    .filter((other) => other !== n)
    .map((other) => follow(userOf(n), userOf(other), n + other + (((n + other) % 2) * 31 + 5) * 1440)),
  person(String(101 + n), `old${String(n)}`),
  // Liked by one each, so that they are found among the most liked. All have as many ancestors.
  ...Array.from({ length: CHAIN }, (_, k) =>
    tweet(oldOf(k, n), String(101 + n), -60, {
      likeCount: 1,
      ...(k < CHAIN - 1 && { inReplyToId: oldOf(Math.max(k + 1, SHARED), n) }),
    }),
  ),
  ...Array.from({ length: 2 * postsAMonth(n) }, (_, k) => {
    const original = (shift: number) => oldOf(k % SHARED, (n + shift + Math.floor(k / SHARED)) % PEOPLE);
    return tweet(
      String((k % 2 === 0 ? 200_001 : 100_001) + n - 100 * Math.floor(k / 2)),
      userOf(n),
      k % 2 === 0 ? 41 : 5,
      {
        inReplyToId: original(1),
        quotedTweetId: original(2),
        sharedTweetId: original(3),
        location: { latitude: 1, longitude: 2 },
        hashtags: ['seen'],
      },
    );
  }),
]);
/** What trends now, each hashtag a few times, and what is in many places. */
export const trends = Array.from({ length: MANY + 2 }, (_, tag) =>
  Array.from({ length: NESTED + 2 }, (__, k) =>
    tweet(String(300_000 + 100 * tag + k), String(201 + k), 0, {
      createdAt: new Date(),
      hashtags: [`trend${tag}`],
      location: { latitude: 40 + tag / 10, longitude: 40 },
    }),
  ),
).flat();

const posts = seed.flatMap((record) =>
  record.kind === 'tweet' && record.sharedTweetId !== undefined ? record : [],
);
export const listBuckets = [5, 41].map((day) => new Date(Date.UTC(2026, 0, 1 + day)));

/** The list of those who share a tweet, which follows from their shares. */
const sharers = storedConnections.filter(({ name }) => name === 'Tweet.sharers');

/** Replies and quotes, and the lists that acts fill, as rows: by acts they would take minutes. */
export function rowsOfActs(): Write[] {
  const first = posts.find(({ tweetId }) => tweetId === newestOf(0))?.sharedTweetId;
  const chainOf = (tweetId: string) => Number(tweetId) % 100;
  const ancestors = Array.from({ length: CHAIN }, (_, k) => oldOf(k, chainOf(first ?? '')));
  const originals = [...new Set([...posts.map(({ sharedTweetId = '' }) => sharedTweetId), ...ancestors])];
  const some = (count: number, from: number) => Array.from({ length: count }, (_, n) => from * 7 + n * 11);
  const countOf = (isFirst: boolean) => (isFirst ? MANY + 2 : NESTED + 2);
  return listBuckets.flatMap((month) => {
    const posted = posts.filter(({ createdAt }) => monthOf(createdAt) === monthOf(month));
    const post = (n: number) => posted[n % posted.length] ?? tweet('1', '1');
    const replies = originals.flatMap((tweetId, place) =>
      some(countOf(tweetId === first), place).flatMap((n, index) => {
        const { author, createdAt, ...about } = post(n);
        const row = { ...about, createdAt, authorId: author.userId ?? '' };
        const entryId = String(400_000 + 100 * place + index);
        const rootId = oldOf(CHAIN - 1, chainOf(tweetId));
        return [
          writeOf(repliesByTweet, { ...row, inReplyToId: tweetId }),
          writeOf(quotesByTweet, { ...row, quotedTweetId: tweetId }),
          writeOf(threadEntries, { rootId, tweetId: entryId, parentId: tweetId, authorId: row.authorId }),
          writeOf(tweets, { ...row, tweetId: entryId, inReplyToId: tweetId, sharedTweetId: null, rootId }),
        ];
      }),
    );
    const owners: Readonly<Record<string, readonly string[]>> = {
      User: everyone.map(userOf),
      Tweet: originals,
    };
    // Of others: whose list it is has been read already.
    const idOf = (type: string, n: number) => (type === 'User' ? userOf(n % PEOPLE) : post(n + 20).tweetId);
    const acts = [...listsOfActs, ...sharers].flatMap((connection) =>
      (owners[connection.of.name] ?? []).flatMap((owner, place) =>
        some(countOf(owner === first || owner === userOf(0)), place).map((n) => {
          const nth = { id: idOf(connection.item.name, n), moment: new Date(Number(month) + n * 1000) };
          return writeOf<Columns, string, string>(connection.list, rowIn(connection, owner, nth));
        }),
      ),
    );
    return [...replies, ...acts];
  });
}

/** Rankings of one month, with everybody in each. */
export function rowsOfRankings(): Write[] {
  const scores = everyone.map((n) => PEOPLE - n);
  const ranked = {
    accounts: everyone.map(userOf),
    accountScores: scores,
    followers: everyone.map(userOf),
    followerScores: scores,
  };
  return Array.from({ length: MANY + 2 }, (_, n) => new Date(Date.UTC(2026, 1, 1 + n))).flatMap((takenAt) => {
    const bucket = monthOf(takenAt);
    const month = { owner: EVERYBODY, list: rankings.name, bucket };
    return [writeOf(buckets, month), writeOf(rankings, { bucket, takenAt, ...ranked })];
  });
}
