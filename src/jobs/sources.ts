import { likeRowsOf } from '../write/like/like-rows';
import { relations } from '../follow/follow.table';
import { relationOf } from '../follow/relation';
import { followRowsOf } from '../write/follow/follow-rows';
import type { Database, Write } from '../kit/cassandra/database';
import type { ListRows } from '../kit/data/bulk';
import { readMany } from '../kit/data/load';
import { articleCountsOf, COMMENTS } from '../write/news/add-comment';
import { copiedArticles, copiedUsers } from '../write/news/copied';
import { articles, comments } from '../news/news.table';
import { articleRowsOf, commentOfDay, commentRowsOf } from '../write/news/news-rows';
import { MAX_MAGNITUDE, magnitudeOf } from '../kit/base/magnitude';
import { buckets, EVERYBODY } from '../kit/data/buckets';
import { isShard, bucketEntryOf, type ShardRouter, unshardedRouter, shardedRouter } from '../kit/data/shards';
import { createTally, tallyShardOf, tallies } from '../kit/work/tally';
import { writeOf } from '../kit/data/write';
import { rankings } from '../ranking/ranking.table';
import { modeOf, pullingOf } from '../write/timeline/fan-out-mode';
import { ownerOf } from '../search/term-owner';
import { indexRowsOf } from '../write/tweet/index-rows';
import { likesIn } from '../tweet/like-count';
import { topRowsOf } from '../write/tweet/top-rows';
import { deletedRowsOf, rowsOf } from '../write/tweet/tweet-rows';
import { deletedTweets, tweetCounts, tweets } from '../tweet/tweet.table';
import { followersIn, topUserRowsOf } from '../write/user/user-counts';
import { userCounts, users, usersByTwitterAccount, usersByUsername } from '../user/user.table';
import type { AnyTable, StoredRow } from './stored';

/** What is needed to derive rows. */
export interface Deriving {
  readonly database: Database;
  /** How many months tweets stay in timelines; null means for ever. */
  readonly retentionMonths: number | null;
  /** Chooses the partition of a row in lists that may have many rows in one bucket. */
  readonly shardRouter: ShardRouter;
}

/** A table that other tables are derived from. */
export interface Source {
  readonly table: AnyTable;
  /** The text with which to ask for the row with a primary key; null if nothing is derived from that row. */
  ask(key: StoredRow): string | null;
  /** Streams all writes that are derived from the rows asked for; a row that does not exist gives none. */
  given(deriving: Deriving, asked: readonly string[]): AsyncIterable<readonly Write[]>;
}

function text(row: StoredRow, property: string): string {
  return String(row[property]);
}

function withBuckets({ writes, listBuckets }: ListRows): Write[] {
  return [...writes, ...listBuckets.map((listBucket) => writeOf(buckets, listBucket))];
}

/**
 * The tweets. The text is `<tweet id> <magnitude> <partition>`, of which the last two may be left out. The magnitude
 * selects one of the top lists' rows, because rows of earlier magnitudes stay. The partition says whether the rows of
 * term lists are those in `shards` or in `buckets`.
 */
export const tweetSource: Source = {
  table: tweets,
  ask: (key) => text(key, 'tweetId'),
  async *given({ database, shardRouter: usual }, asked) {
    const named = asked.map((one) => one.split(' '));
    const keys = named.map(([tweetId = '']) => ({ tweetId }));
    const [found, counts] = await Promise.all([
      readMany(database, tweets.get, keys),
      readMany(database, tweetCounts.get, keys),
    ]);
    yield found.flatMap((tweet, index) => {
      if (tweet === null) return [];
      const magnitude = magnitudeIn(named[index]?.[1]) ?? magnitudeOf(likesIn(counts[index] ?? null));
      const [, , partition] = named[index] ?? [];
      const shardRouter =
        partition === 'shards' ? shardedRouter : partition === 'buckets' ? unshardedRouter : usual;
      return [
        rowsOf(tweet),
        indexRowsOf(shardRouter, tweet),
        topRowsOf(shardRouter, tweet, magnitude),
      ].flatMap(withBuckets);
    });
  },
};

/** Parses a magnitude; null if `word` is not one. */
function magnitudeIn(word: string | undefined): number | null {
  const magnitude = Number(word);
  return magnitude >= 1 && magnitude <= MAX_MAGNITUDE ? magnitude : null;
}

/**
 * The relations of two users. The text is `<low id> <high id>`. With a third word, `always`, the rows also include the
 * `pulled_by_user` rows that may exist while the fan-out mode of a followee changes.
 */
export const relationSource: Source = {
  table: relations,
  ask: (key) => text(key, 'pair'),
  async *given({ database }, asked) {
    const named = asked.map((one) => one.split(' '));
    const keys = named.map(([low = '', high = '']) => ({ pair: `${low} ${high}` }));
    const rows = await readMany(database, relations.get, keys);
    for (const [index, row] of rows.entries()) {
      const [low = '', high = '', always] = named[index] ?? [];
      for (const [follower, followee] of [
        [low, high],
        [high, low],
      ] as const) {
        const relation = relationOf(row, follower, followee);
        if (!relation.follows) continue;
        const mode = await modeOf({ database }, followee);
        const isPulled = mode.mode === 'pull' || (always !== undefined && mode.mode !== 'push');
        yield [
          ...withBuckets(followRowsOf(follower, followee, relation)),
          ...(isPulled ? [pullingOf(follower, followee, relation, mode)] : []),
        ];
      }
    }
  },
};

/** The likes. The text is `<tweet id> <user id>`. */
export const likeSource: Source = {
  table: tallies,
  // The row of member 0 has the count of the list, and may also have the like of the user with id 0.
  ask: (key) => (key['list'] === 'likes' ? `${text(key, 'owner')} ${text(key, 'member')}` : null),
  async *given({ database }, asked) {
    const named = asked.map((one) => {
      const [tweetId = '', userId = ''] = one.split(' ');
      return { tweetId, userId };
    });
    const [found, memberships] = await Promise.all([
      readMany(database, tweets.get, named),
      readMany(
        database,
        tallies.get,
        named.map(({ tweetId, userId }) => ({
          owner: tweetId,
          shard: tallyShardOf(userId),
          member: userId,
          list: 'likes',
        })),
      ),
    ]);
    yield named.flatMap(({ tweetId, userId }, index) => {
      const membership = memberships[index];
      // The tallies of a deleted tweet stay if its id is also a user's.
      if (!membership || found[index] === null) return [];
      return withBuckets(
        likeRowsOf(tweetId, userId, { ...membership, present: membership.present === true }),
      );
    });
  },
};

/** The usernames and Twitter accounts of users. The text is the user id. */
export const nameSource: Source = {
  table: users,
  ask: (key) => text(key, 'userId'),
  async *given({ database }, asked) {
    const found = await readMany(
      database,
      users.get,
      asked.map((userId) => ({ userId })),
    );
    yield found.flatMap((user) => {
      if (user === null) return [];
      const { userId, username, twitterAccount } = user;
      const usernameFolded = username.toLowerCase();
      const accountFolded = twitterAccount?.toLowerCase();
      return [
        // A user who is known by a number only has no row for the name.
        ...(username === userId ? [] : [writeOf(usersByUsername, { usernameFolded, userId })]),
        ...(accountFolded === undefined ? [] : [writeOf(usersByTwitterAccount, { accountFolded, userId })]),
      ];
    });
  },
};

/** The numbers of followers. The text is `<user id> <magnitude>`; the magnitude may be left out, as for tweets. */
export const followerCountSource: Source = {
  table: userCounts,
  ask: (key) => text(key, 'userId'),
  async *given({ database }, asked) {
    const named = asked.map((one) => one.split(' '));
    const keys = named.map(([userId = '']) => ({ userId }));
    const [found, counts] = await Promise.all([
      readMany(database, users.get, keys),
      readMany(database, userCounts.get, keys),
    ]);
    yield found.flatMap((user, index) => {
      if (user === null) return [];
      const magnitude = magnitudeIn(named[index]?.[1]);
      const followers = magnitude === null ? followersIn(counts[index] ?? null) : 2 ** (magnitude - 1);
      return topUserRowsOf(user.userId, followers);
    });
  },
};

/** The deleted tweets. The text is the tweet id. */
export const deletedSource: Source = {
  table: deletedTweets,
  ask: (key) => text(key, 'tweetId'),
  async *given({ database }, asked) {
    const found = await readMany(
      database,
      deletedTweets.get,
      asked.map((tweetId) => ({ tweetId })),
    );
    yield found.flatMap((tweet) => (tweet === null ? [] : withBuckets(deletedRowsOf(tweet))));
  },
};

/**
 * The sharded rows of a list of terms. Only the marks in `buckets` are derived from them: a bucket that has rows in shards
 * is a sharded one. The text is `<bucket> <term>`.
 */
export function shardSource(table: AnyTable): Source {
  return {
    table,
    ask: (key) => (isShard(Number(key['bucket'])) ? `${text(key, 'bucket')} ${text(key, 'term')}` : null),
    async *given(_deriving, asked) {
      yield await Promise.resolve(
        asked.map((one) => {
          const [bucket = ''] = one.split(' ', 1);
          const owner = ownerOf(one.slice(bucket.length + 1));
          return writeOf(buckets, { owner, list: table.name, bucket: bucketEntryOf(Number(bucket)) });
        }),
      );
    },
  };
}

/** The articles. The text is the article id. */
export const articleSource: Source = {
  table: articles,
  ask: (key) => text(key, 'articleId'),
  async *given({ database }, asked) {
    const keys = asked.map((articleId) => ({ articleId }));
    const found = (await readMany(database, articles.get, keys)).flatMap((article) => article ?? []);
    const authors = await copiedUsers(
      database,
      found.map(({ authorId }) => authorId),
    );
    yield found.flatMap((article, index) => {
      const author = authors[index];
      return author == null ? [] : withBuckets(articleRowsOf(article, author));
    });
  },
};

/** The comments. The text is the comment id. */
export const commentSource: Source = {
  table: comments,
  ask: (key) => text(key, 'commentId'),
  async *given({ database }, asked) {
    const keys = asked.map((commentId) => ({ commentId }));
    const found = (await readMany(database, comments.get, keys)).flatMap((comment) => comment ?? []);
    const [authors, about] = await Promise.all([
      copiedUsers(
        database,
        found.map(({ authorId }) => authorId),
      ),
      copiedArticles(
        database,
        found.map(({ articleId }) => articleId),
      ),
    ]);
    yield found.flatMap((comment, index) => {
      const [author, article] = [authors[index], about[index]];
      if (author == null || article == null) return [];
      return [commentRowsOf(comment, article.authorId), commentOfDay(comment, article, author)].flatMap(
        withBuckets,
      );
    });
  },
};

/** The tallies of comments, from which the numbers of comments are derived. The text is the article id. */
export const commentCountSource: Source = {
  table: tallies,
  ask: (key) => (key['list'] === COMMENTS && key['member'] === '0' ? text(key, 'owner') : null),
  async *given({ database }, asked) {
    const tally = createTally(database);
    yield (await Promise.all(asked.map((articleId) => articleCountsOf(tally, articleId)))).flat();
  },
};

/** The rankings that were taken. Only their buckets are derived. The text is the bucket. */
export const rankingSource: Source = {
  table: rankings,
  ask: (key) => text(key, 'bucket'),
  async *given(_deriving, asked) {
    yield await Promise.resolve(
      asked.map((bucket) =>
        writeOf(buckets, { owner: EVERYBODY, list: rankings.name, bucket: Number(bucket) }),
      ),
    );
  },
};
