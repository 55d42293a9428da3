import { writeOf } from '../../src/kit/cassandra/write';
import { HIDDEN, hiddenByUser, threadTarget } from '../../src/features/hidden/hidden.table';
import { rankings } from '../../src/features/ranking/ranking.table';
import { deletedTweets, MAX_COUNTRY_BYTES, MAX_RAW_BYTES } from '../../src/features/tweet/tweet.table';
import {
  MAX_DESCRIPTION_BYTES,
  MAX_NAME_BYTES,
  MAX_USERNAME_BYTES,
} from '../../src/features/user/user.table';
import type { TweetRecord, UserRecord } from '../../src/import/records/record';
import { usersByIdentity } from '../../src/features/viewer/viewer.table';
import { buckets, EVERYBODY, monthOf } from '../../src/kit/lists/buckets';
import { putAll } from '../../src/kit/writes/row-writer';
import type { Columns } from '../../src/kit/cassandra/table';
import { follow, person, startHarness, tweet, type Harness } from '../support/harness';
import { act } from '../support/mutations';
import { listsOfActs, rowIn } from '../support/stored-lists';
import { encodeNodeId } from '../../src/kit/graphql/global-id';

/** Months in which people post and follow: more than a page walks. */
const MONTHS = 40;
const PEOPLE = 14;
const day = (month: number, n: number) => -30 * month - (n % 28);
/** Authors above this number of followers are pulled; these have no more. */
const PUSH_LIMIT = 8;
const PUSHED = ['10', '11', '12'];
const WORDS = ['tweet', 'ada', '#x', '日本語'];

/** As many bytes of text as may be, of letters with three bytes each. */
const longText = (bytes: number) => '語'.repeat(bytes / 3) + 'x'.repeat(bytes % 3);
const FAMILY = '👨‍👩‍👧‍👦';

/** A person whose texts are as long as they may be; the first three are asked for by their names. */
function greatestPerson(id: string): UserRecord {
  const username = { 1: 'Ada', 2: 'bo', 3: 'x_1', 4: longText(MAX_USERNAME_BYTES) }[id] ?? `user${id}`;
  const [name, description] = [MAX_NAME_BYTES, MAX_DESCRIPTION_BYTES].map(longText);
  return { ...person(id, username), name: name ?? '', description: description ?? '' };
}

/** The tweets that are as large as an import may have them. */
const GREATEST = [100, 104, 106];
const greatestTweet: Partial<TweetRecord> = {
  content: '😀'.repeat(10_000),
  hashtags: Array.from({ length: 30 }, (_, n) => `${n}${'h'.repeat(600)}`),
  mentions: Array.from({ length: 30 }, (_, n) => `${n}${'m'.repeat(498)}`),
  location: { latitude: 1, longitude: 1, country: longText(MAX_COUNTRY_BYTES) },
  raw: JSON.stringify('x'.repeat(MAX_RAW_BYTES - 2)),
};

/** An article and a comment that are as large as they may be. */
const greatestArticle = {
  title: FAMILY.repeat(160),
  body: 'é'.repeat(50_000),
  tags: Array.from({ length: 20 }, (_, n) => `${n}${FAMILY.repeat(39)}`),
};
const greatestComment = '語\u20D0\u20D1'.repeat(5000);

/** Acts, so that each table that only mutations fill has rows. */
async function react(server: Harness, people: readonly string[]): Promise<void> {
  for (const who of people.slice(0, 6))
    for (const id of ['100', '104', '99990'])
      await act(server, who, 'likeTweet', { id: encodeNodeId('Tweet', id) });
  await act(server, '1', 'blockUser', { id: encodeNodeId('User', '13') });
  await act(server, '1', 'muteUser', { id: encodeNodeId('User', '12') });
  await act(server, '1', 'muteWords', { input: { text: 'weather' } });
  await act(server, '14', 'deleteAccount', { confirm: 'user14' });
  // More folders and bookmarks than most have, with the longest names.
  for (let n = 0; n < 30; n++)
    await act(server, '1', 'bookmarkTweet', {
      id: encodeNodeId('Tweet', String(100_000 - 6 * n)),
      folder: n < 12 ? 'Seen' : `${n} ${'語'.repeat(47)}`,
    });
}

/** The default limits, but for answers with many of the greatest texts. */
const SETTINGS = {
  FANOUT_PUSH_LIMIT: String(PUSH_LIMIT),
  LIMIT_MILLISECONDS: '600000',
  LIMIT_READS: '10000',
  LIMIT_ROWS: '500000',
  LIMIT_BYTES: '268435456',
  LIMIT_ANSWER_BYTES: '67108864',
};

/**
 * Starts a server over a network that has rows of every kind: long and sparse lists, pushed and pulled authors, shards of
 * months, shares with and without their originals, deleted tweets, likes of all magnitudes, places, hashtags, news, rankings.
 */
export async function startNetwork(): Promise<Harness> {
  const server = await startHarness(SETTINGS, undefined, {
    lists: { fullRows: 8, rowsPerCheck: 2, effectiveMs: 0 },
  });
  const people = Array.from({ length: PEOPLE }, (_, n) => String(n + 1));
  await server.store([
    ...people.map((id) => greatestPerson(id)),
    ...people.flatMap((id, n) =>
      people
        .filter((other) => other !== id && (!PUSHED.includes(other) || n < PUSH_LIMIT))
        .map((other, k) => follow(id, other, (n + k) * 43_200)),
    ),
    ...Array.from({ length: 12 * MONTHS }, (_, n) =>
      tweet(String(100_000 - n), String(1 + (n % 12)), day(Math.floor(n / 12), n), {
        content: `${WORDS.slice(0, 1 + (n % 4)).join(' ')} ${n}`,
        hashtags: n % 3 === 0 ? ['x'] : [],
        likeCount: n % 5 === 0 ? n : 0,
        ...(n % 7 === 0 && { inReplyToId: '100' }),
        ...(n % 6 === 1 && { sharedTweetId: String(100 + (n % 12)) }),
        ...(n % 6 === 2 && { quotedTweetId: String(100 + (n % 12)) }),
        ...(n % 2 === 0 && { location: { latitude: (n % 30) / 10, longitude: n % 180 } }),
      }),
    ),
    ...Array.from({ length: 12 }, (_, n) =>
      tweet(String(100 + n), String(1 + (n % 3)), n % 4, {
        ...(GREATEST.includes(100 + n) && greatestTweet),
        ...(n > 6 ? { inReplyToId: '100' } : { likeCount: n }),
      }),
    ),
  ]);
  await react(server, people);
  // The lists that acts fill, of many months.
  const acts = listsOfActs.flatMap((connection) =>
    Array.from({ length: 2 * MONTHS }, (_, n) => {
      const idOf = (type: string) => (type === 'User' ? String(1 + (n % PEOPLE)) : String(100_000 - n));
      const owner = connection.of.name === 'User' ? '1' : '100';
      const nth = { id: idOf(connection.item.name), moment: new Date(Date.UTC(2026, -n / 2, 1)) };
      return writeOf<Columns, string, string>(connection.list, rowIn(connection, owner, nth));
    }),
  );
  await putAll(server.writeServices.bulk(), acts);
  // Their shares are still on their way out of the lists.
  for (const id of ['105', '107', '109']) {
    const gone = {
      tweetId: id,
      authorId: '1',
      createdAt: new Date('2026-01-02'),
      inReplyToId: null,
      sharedTweetId: null,
    };
    await run(server, writeOf(deletedTweets, { ...gone, imported: true }));
  }
  await act(server, '1', 'createTweet', { input: { content: 'Of this hour. #x' } });
  await run(server, writeOf(usersByIdentity, { issuer: 'murmuration', subject: 'x', userId: '1' }));
  await act(server, '2', 'deleteTweet', { id: encodeNodeId('Tweet', '101') });
  await act(server, '2', 'deleteTweet', { id: encodeNodeId('Tweet', '110') });
  await act(server, '2', 'requestExport', {});
  for (const who of ['1', '2', '3']) {
    const input = who === '3' ? { title: 'A title', body: 'It rains.', tags: ['weather'] } : greatestArticle;
    const { article } = (await act(server, who, 'publishArticle', { input })) as { article: { id: string } };
    for (const commenter of ['1', '2', '3', '4'])
      await act(server, commenter, 'addComment', {
        input: { articleId: article.id, body: commenter === '4' ? 'Some words' : greatestComment },
      });
  }
  const thread = { kind: HIDDEN.thread, targetId: threadTarget('104'), hiddenAt: new Date() };
  await run(server, writeOf(hiddenByUser, { viewerId: '1', ...thread }));
  for (let month = 0; month < MONTHS; month++) {
    const takenAt = new Date(Date.UTC(2026, 0 - month, 1));
    await run(server, writeOf(buckets, { owner: EVERYBODY, list: rankings.name, bucket: monthOf(takenAt) }));
    const ranks = {
      accounts: people,
      accountScores: people.map(Number),
      followers: people,
      followerScores: people.map(Number),
    };
    await run(server, writeOf(rankings, { bucket: monthOf(takenAt), takenAt, ...ranks }));
  }
  await server.writeServices.outbox.idle();
  return server;
}

async function run(server: Harness, { query, params }: ReturnType<typeof writeOf>): Promise<void> {
  await server.database.write(query, params);
}
