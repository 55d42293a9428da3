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
import { isShard, bucketMarkOf, type ShardRouter, toBuckets, toShards } from '../kit/data/shards';
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

/** What deriving rows needs. */
export interface Deriving {
  readonly database: Database;
  /** How long tweets stay in timelines; null: for ever. */
  readonly retentionMonths: number | null;
  /** Where rows go of lists that may have many in one bucket. */
  readonly shardRouter: ShardRouter;
}

/** A table that others are derived from. */
export interface Source {
  readonly table: AnyTable;
  /** By which text a row of the table, of which only the primary key is read, is asked for; null where it gives nothing. */
  ask(key: StoredRow): string | null;
  /** All that some rows give, in parts; nothing where they are not there. */
  given(deriving: Deriving, asked: readonly string[]): AsyncIterable<readonly Write[]>;
}

function text(row: StoredRow, property: string): string {
  return String(row[property]);
}

function withBuckets({ writes, listBuckets }: ListRows): Write[] {
  return [...writes, ...listBuckets.map((listBucket) => writeOf(buckets, listBucket))];
}

/**
 * A tweet's magnitude may be asked for, since rows of earlier ones stay and are looked for by their own; and whether its rows
 * are those of `shares` or of `buckets`.
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
    yield found.flatMap((tweet, place) => {
      if (tweet === null) return [];
      const magnitude = magnitudeIn(named[place]?.[1]) ?? magnitudeOf(likesIn(counts[place] ?? null));
      const [, , where] = named[place] ?? [];
      const shardRouter = where === 'shares' ? toShards : where === 'buckets' ? toBuckets : usual;
      return [
        rowsOf(tweet),
        indexRowsOf(shardRouter, tweet),
        topRowsOf(shardRouter, tweet, magnitude),
      ].flatMap(withBuckets);
    });
  },
};

/** A magnitude that somebody asks for; null where there is none such. */
function magnitudeIn(asked: string | undefined): number | null {
  const magnitude = Number(asked);
  return magnitude >= 1 && magnitude <= MAX_MAGNITUDE ? magnitude : null;
}

/** The relations of two users; where `always` is asked for, with the marks that may be there while a mode changes. */
export const relationSource: Source = {
  table: relations,
  ask: (key) => text(key, 'pair'),
  async *given({ database }, asked) {
    const named = asked.map((one) => one.split(' '));
    const keys = named.map(([low = '', high = '']) => ({ pair: `${low} ${high}` }));
    const rows = await readMany(database, relations.get, keys);
    for (const [place, row] of rows.entries()) {
      const [low = '', high = '', always] = named[place] ?? [];
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

/** Who likes which tweet. */
export const likeSource: Source = {
  table: tallies,
  // The row of member 0 holds a count, and may hold that user's like, too.
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
    yield named.flatMap(({ tweetId, userId }, place) => {
      const membership = memberships[place];
      // A deleted tweet whose id is a user's too keeps its tallies.
      if (!membership || found[place] === null) return [];
      return withBuckets(
        likeRowsOf(tweetId, userId, { ...membership, present: membership.present === true }),
      );
    });
  },
};

/** The names of users. */
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
        // Who is known by number only has no row.
        ...(username === userId ? [] : [writeOf(usersByUsername, { usernameFolded, userId })]),
        ...(accountFolded === undefined ? [] : [writeOf(usersByTwitterAccount, { accountFolded, userId })]),
      ];
    });
  },
};

/** How many follow a user, whose magnitude may be asked for as a tweet's. */
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
    yield found.flatMap((user, place) => {
      if (user === null) return [];
      const magnitude = magnitudeIn(named[place]?.[1]);
      const followers = magnitude === null ? followersIn(counts[place] ?? null) : 2 ** (magnitude - 1);
      return topUserRowsOf(user.userId, followers);
    });
  },
};

/** The deleted tweets. */
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

/** The shares of a term's buckets, of which only the marks are derived: a bucket that has some is spread, whatever made it so. */
export function shardSource(table: AnyTable): Source {
  return {
    table,
    ask: (key) => (isShard(Number(key['bucket'])) ? `${text(key, 'bucket')} ${text(key, 'term')}` : null),
    async *given(_deriving, asked) {
      yield await Promise.resolve(
        asked.map((one) => {
          const [bucket = ''] = one.split(' ', 1);
          const owner = ownerOf(one.slice(bucket.length + 1));
          return writeOf(buckets, { owner, list: table.name, bucket: bucketMarkOf(Number(bucket)) });
        }),
      );
    },
  };
}

/** The articles. */
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
    yield found.flatMap((article, place) => {
      const author = authors[place];
      return author == null ? [] : withBuckets(articleRowsOf(article, author));
    });
  },
};

/** The comments. */
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
    yield found.flatMap((comment, place) => {
      const [author, article] = [authors[place], about[place]];
      if (author == null || article == null) return [];
      return [commentRowsOf(comment, article.authorId), commentOfDay(comment, article, author)].flatMap(
        withBuckets,
      );
    });
  },
};

/** How many comments an article has: what its tally says. */
export const commentCountSource: Source = {
  table: tallies,
  ask: (key) => (key['list'] === COMMENTS && key['member'] === '0' ? text(key, 'owner') : null),
  async *given({ database }, asked) {
    const tally = createTally(database);
    yield (await Promise.all(asked.map((articleId) => articleCountsOf(tally, articleId)))).flat();
  },
};

/** The rankings that were taken, of which only the months are derived. */
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
