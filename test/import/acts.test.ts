import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { setFollowing } from '../../src/follow/follow';
import type { Database } from '../../src/kit/cassandra/database';
import { taskHandlers } from '../../src/tasks';
import { post as postTweet } from '../../src/tweet/post';
import { openWriting } from '../../src/writing';
import { follow, person, startHarness, tweet, type Harness } from '../harness';
import { ask } from '../mutations';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
});

const plain = {
  language: 'en',
  location: null,
  hashtags: null,
  mentions: null,
  quotedTweetId: null,
  sharedTweetId: null,
};

const SHOWN = '{ user(username: "user2") { followerCount tweetCount } tweet(tweetId: "100") { replyCount } }';

test('who is acted on while an import counts has the right counts', async () => {
  await server.store([...['1', '2', '3'].map((id) => person(id, `user${id}`)), tweet('100', '2', 1)]);
  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  // A server that takes long between storing what is counted and counting it.
  const slow: Database = {
    ...server.database,
    async compareAndWrite(writes) {
      if (writes.some(({ query }) => query.includes('tallies'))) await gate;
      return server.database.compareAndWrite(writes);
    },
  };
  const writing = await openWriting(slow, server.config, pino({ level: 'silent' }));
  writing.outbox.start(taskHandlers(writing));
  const following = setFollowing(writing, '1', '2', true);
  const posting = postTweet(writing, '2', {
    key: null,
    content: null,
    inReplyToId: '100',
    draft: () => Promise.resolve({ content: 'a reply', inReplyToId: '100', ...plain }),
  });
  const isStored =
    '{ user(username: "user2") { followers { nodes { id } } } tweet(tweetId: "100") { replies { nodes { id } } } }';
  while ((JSON.stringify(await ask(server, isStored)).match(/"id"/g) ?? []).length < 2) await sleep(50);
  const importing = server.store([
    follow('3', '2'),
    tweet('101', '2', 2),
    tweet('102', '3', 3, { inReplyToId: '100' }),
  ]);
  // The import has had the time to count what is stored.
  await Promise.race([importing, sleep(3000)]);
  open();
  await Promise.all([following, posting, importing]);
  await writing.outbox.idle();
  await writing.close();
  expect(await ask(server, SHOWN)).toEqual({
    user: { followerCount: 2, tweetCount: 3 },
    tweet: { replyCount: 2 },
  });
});
