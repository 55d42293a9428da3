import { readConfig } from '../../src/config';
import { HIDDEN, hiddenByUser } from '../../src/features/hidden/hidden.table';
import { snowflakeAt } from '../../src/kit/base/snowflake';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import type { TweetRecord, UserRecord } from '../../src/import/records/record';
import { createStore } from '../../src/import/store/store';
import { randomFrom } from '../../src/kit/base/random';
import type { Database } from '../../src/kit/cassandra/database';
import { writeOf } from '../../src/kit/cassandra/write';
import { createBulkWriter } from '../../src/kit/writes/bulk';
import { decideBookmark, questionOf } from '../../src/write/bookmark/decide-bookmark';
import { storeBookmark } from '../../src/write/bookmark/set-bookmark';
import type { Subject } from '../pages/subjects';

/** How many people have bookmarks, and how many each of them. */
const BOOKMARKERS = 40;
const BOOKMARKS = 30;
/** How many replies the conversation has: more than a page, and fewer than are put in order without reserving more. */
const REPLIES = 300;
/** How many users are blocked, how many muted, and how many words. */
const [BLOCKED, MUTED, WORDS] = [400, 400, 200];
const FOLDERS = ['', 'To read', 'Ideas'];

/** Lets people bookmark tweets. */
export async function fillBookmarks(
  database: Database,
  people: readonly Subject[],
  tweets: readonly Subject[],
): Promise<void> {
  const bulk = createBulkWriter(database);
  let made = 0;
  for (const { id } of people.slice(0, BOOKMARKERS))
    for (let n = 0; n < BOOKMARKS; n++) {
      const question = questionOf(id, tweets[n % tweets.length]?.id ?? '0');
      const nextId = () => snowflakeAt(new Date(), BigInt(made++ % 4096)) ?? '';
      const wish = { folder: FOLDERS[n % FOLDERS.length] ?? '' };
      const store = storeBookmark.bind(null, { bulk });
      const row = await decideBookmark({ database, nextId }, question, wish, store);
      if (row !== null) await store(row);
    }
}

/** Stores a conversation of hundreds of replies by the people, each to one of the last few or to the first tweet. */
export async function fillConversation(
  database: Database,
  env: NodeJS.ProcessEnv,
  people: readonly Subject[],
): Promise<Subject> {
  const random = randomFrom(31);
  const begin = Date.now() - 3_600_000;
  const records: TweetRecord[] = [];
  for (let n = 0; n <= REPLIES; n++) {
    const createdAt = new Date(begin + n * 1000);
    const parent = random() < 0.4 ? records[0] : records[Math.floor(n * random())];
    records.push({
      kind: 'tweet',
      tweetId: snowflakeAt(createdAt, BigInt(n)) ?? '',
      author: { userId: people[Math.floor(random() * people.length)]?.id ?? '' },
      content: `What number ${n} of a long conversation says, in a sentence of a usual length.`,
      createdAt,
      language: 'en',
      ...{ hashtags: [], mentions: [], raw: '{}' },
      ...(parent && { inReplyToId: parent.tweetId }),
    });
  }
  const store = createStore(database, readConfig(env));
  await store.add(records);
  await store.settle();
  const id = records[0]?.tweetId ?? '';
  return { id, variable: encodeNodeId('Tweet', id) };
}

/** Lets people hide users who post nothing, and words that nobody has posted, so that their pages stay as they are. */
export async function fillHidden(
  database: Database,
  env: NodeJS.ProcessEnv,
  people: readonly Subject[],
): Promise<number> {
  const hiddenAt = new Date();
  const idOf = (n: number) => String(1000 + n);
  const store = createStore(database, readConfig(env));
  await store.add(
    Array.from({ length: BLOCKED + MUTED }, (_, n): UserRecord => {
      const username = `stranger_${String(n)}`;
      return {
        kind: 'user',
        userId: idOf(n),
        username,
        name: username,
        onTwitter: false,
        createdAt: hiddenAt,
      };
    }),
  );
  await store.settle();
  const bulk = createBulkWriter(database)();
  for (const { id: viewerId } of people)
    for (let n = 0; n < BLOCKED + MUTED + WORDS; n++) {
      const row = { viewerId, targetId: idOf(n), hiddenAt };
      if (n < BLOCKED) await bulk.put(writeOf(hiddenByUser, { ...row, kind: HIDDEN.block }));
      else if (n < BLOCKED + MUTED) await bulk.put(writeOf(hiddenByUser, { ...row, kind: HIDDEN.mute }));
      else await bulk.put(writeOf(hiddenByUser, { ...row, kind: HIDDEN.word, words: `unheard${n} of` }));
    }
  await bulk.flush();
  return BLOCKED + MUTED + WORDS;
}
