import {
  GROUP_ROW,
  notificationGroups,
  notificationsByUser,
  notifiedByTweet,
} from '../../features/notification/notification.table';
import { readLeaving } from '../../features/account/account-deletion';
import { readSuspensions } from '../../features/moderation/suspensions';
import { userByUsername } from '../../features/user/user-by-username';
import { users } from '../../features/user/user.table';
import { articles, comments } from '../../features/news/news.table';
import { rawTweets, tweets, type StoredTweet } from '../../features/tweet/tweet.table';
import type { Database, Write } from '../../kit/cassandra/database';
import { writtenAt } from '../../kit/cassandra/column';
import { getStatement } from '../../kit/cassandra/statement';
import { writeOf } from '../../kit/cassandra/write';
import { historyOf } from '../../kit/reads/hidden-history';
import { createLoad, readMany, type Load } from '../../kit/reads/load';
import {
  joinProperties,
  type DerivationOptions,
  type DerivationSource,
  type DerivedTable,
} from '../derived-table';
import { groupOfRow } from './group';
import { groupRow } from './list-group';
import { commentNotification, MAX_RECIPIENTS, notifiedWrites, singlesOf, singleWrite } from './notify-tweet';
import { isSingleKind, mayNotify, recipientsOf } from './recipients';

const NONE = '-';

/** The writes of the notifications of a source key: `<group id> <id of a tweet or comment>`, of which one may be `-`. */
async function* notificationsOf(
  { database }: { readonly database: Database },
  sourceKeys: readonly string[],
) {
  const named = sourceKeys.map((key) => key.split(' '));
  const groups = named.flatMap(([groupId = NONE]) => (groupId === NONE ? [] : [{ ...GROUP_ROW, groupId }]));
  const items = [...new Set(named.flatMap(([, item = NONE]) => (item === NONE ? [] : [item])))];
  const heads = await readMany(database, notificationGroups.get, groups);
  const rows = await Promise.all(
    heads.map(async (head) => {
      const group = head && groupOfRow(head);
      const row = group && (await groupRow({ database }, group));
      return group && row ? [writeOf(notificationsByUser, row, { at: group.version })] : [];
    }),
  );
  yield [...rows.flat(), ...(await singlesIn(database, items))];
}

/** The writes of the notifications that tweets and comments make, dated so many microseconds later than usual. */
export async function singlesIn(database: Database, items: readonly string[], later = 0): Promise<Write[]> {
  const keys = items.map((tweetId) => ({ tweetId }));
  const [found, notified, said] = await Promise.all([
    readMany(database, tweets.get, keys),
    readMany(
      database,
      notifiedByTweet.page,
      keys.map((key) => ({ ...key, limit: MAX_RECIPIENTS })),
    ),
    readMany(
      database,
      comments.get,
      items.map((commentId) => ({ commentId })),
    ),
  ]);
  const about = await readMany(
    database,
    articles.get,
    said.map((comment) => ({ articleId: comment?.articleId ?? '0' })),
  );
  return items.flatMap((_, index) => {
    const [tweet, comment, article] = [found[index], said[index], about[index]];
    const recipients = new Map(notified[index]?.map(({ userId, kind }) => [userId, kind ?? '']));
    return [
      ...(tweet ? singlesOf(tweet, recipients).map((row) => singleWrite(row, { later })) : []),
      ...(comment && article && article.authorId !== comment.authorId
        ? [singleWrite(commentNotification(comment, article.authorId), { later })]
        : []),
    ];
  });
}

/** The users whom tweets have notified. A record stays as it is, because later blocks and deletions do not change who was notified. */
const recipientSource: DerivationSource = {
  table: tweets,
  keyOf: (key) => joinProperties(key, 'tweetId'),
  async *writesOf(context, tweetIds) {
    const { database } = context;
    const keys = tweetIds.map((tweetId) => ({ tweetId }));
    const [found, raw, wasHidden] = await Promise.all([
      readMany(database, tweets.get, keys),
      readMany(database, rawTweets.get, keys),
      hiddenIn(context),
    ]);
    const notified = found.flatMap((tweet, index) =>
      tweet !== null && mayNotify(tweet) && raw[index] === null
        ? [notifiedOf(database, tweet, wasHidden)]
        : [],
    );
    yield (await Promise.all(notified)).flat();
  },
};

type WasHidden = (userId: string, moment: Date) => boolean;

const histories = new WeakMap<DerivationOptions, Promise<WasHidden>>();

/** Returns which users were suspended, or leaving, and when. It is read once for each run of a job. */
function hiddenIn(context: DerivationOptions): Promise<WasHidden> {
  const known = histories.get(context) ?? readHidden(context.database);
  histories.set(context, known);
  return known;
}

async function readHidden(database: Database): Promise<WasHidden> {
  const histories = await Promise.all([
    historyOf(readSuspensions(database)),
    historyOf(readLeaving(database)),
  ]);
  return (userId, moment) => histories.some((wasHidden) => wasHidden(userId, moment));
}

/** Reads since when a user has had the username here: only an import that finds out whose it is writes it again. */
const readSince = getStatement<{ readonly userId: string }, { readonly since: string | null }>({
  ...users,
  columns: { userId: users.columns.userId, since: writtenAt('username') },
});

/**
 * Returns the names that a tweet mentions, without those of users who came after it was posted, or were suspended or leaving then: they are
 * not notified of it.
 */
async function namesOfThen(
  load: Load,
  { mentions, createdAt }: StoredTweet,
  wasHidden: WasHidden,
): Promise<string[]> {
  const names = mentions ?? [];
  const arePast = await Promise.all(
    names.map(async (name) => {
      const user = await userByUsername(load, name);
      if (user === null || wasHidden(user.userId, createdAt)) return false;
      const since = (await load(readSince, user))?.since;
      return since != null && Number(since) <= Number(createdAt) * 1000;
    }),
  );
  return names.filter((_, index) => arePast[index]);
}

/**
 * Writes the users whom a tweet has notified. If nothing is recorded, those whom a block may have excluded when the tweet was posted are
 * left out.
 */
async function notifiedOf(database: Database, tweet: StoredTweet, wasHidden: WasHidden): Promise<Write[]> {
  const load = createLoad(database);
  const { tweetId } = tweet;
  const [stored, mentions] = await Promise.all([
    load(notifiedByTweet.page, { tweetId, limit: MAX_RECIPIENTS }),
    namesOfThen(load, tweet, wasHidden),
  ]);
  const now = await recipientsOf(
    load,
    { ...tweet, mentions },
    ({ blocks, at }) => blocks || at > tweet.createdAt,
  );
  if (stored.length === 0) return notifiedWrites(tweetId, now);
  const recorded = stored.map(({ userId, kind }): [string, string] => [
    userId,
    isSingleKind(kind) ? kind : (now.get(userId) ?? ''),
  ]);
  return notifiedWrites(tweetId, new Map(recorded));
}

/** The notifications of users, and whom tweets have notified. */
export const notificationTables: readonly DerivedTable[] = [
  {
    table: notifiedByTweet,
    sources: [recipientSource],
    sourceKeyOf: (row) => joinProperties(row, 'tweetId'),
  },
  {
    table: notificationsByUser,
    sources: [
      {
        table: notificationGroups,
        keyOf: (row) => `${joinProperties(row, 'groupId')} ${NONE}`,
        writesOf: notificationsOf,
      },
      {
        table: notifiedByTweet,
        keyOf: (row) => `${NONE} ${joinProperties(row, 'tweetId')}`,
        writesOf: notificationsOf,
      },
      {
        table: comments,
        keyOf: (row) => `${NONE} ${joinProperties(row, 'commentId')}`,
        writesOf: notificationsOf,
      },
    ],
    sourceKeyOf: (row) => joinProperties(row, 'notificationId', 'subjectId'),
  },
];
