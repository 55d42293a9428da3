import pino from 'pino';
import type { Database } from '../src/kit/cassandra/database';
import { encodeNodeId } from '../src/kit/graphql/global-id';
import { setFollowing } from '../src/write/follow/set-following';
import { taskHandlers } from '../src/app';
import { postTweet } from '../src/write/tweet/post-tweet';
import { openWriteServices, type WriteServices } from '../src/write/write-services';
import { person, startHarness, type Harness } from './support/harness';
import { act, ask, plain, post } from './support/mutations';

// Beside a server there is one whose writes to timelines come late: it has read what they follow from long before.

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
});

/** A server, and how to let its writes to timelines through; until then they wait. */
async function slowServer(): Promise<{
  writeServices: WriteServices;
  waiting: Promise<void>;
  release: () => Promise<void>;
}> {
  let open: () => void = () => undefined;
  let arrived: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const waiting = new Promise<void>((resolve) => (arrived = resolve));
  const database: Database = {
    ...server.database,
    async batch(writes, options) {
      if (writes.some(({ query }) => query.includes(' timelines_by_user '))) {
        arrived();
        await gate;
      }
      return server.database.batch(writes, options);
    },
  };
  const writeServices = await openWriteServices(database, server.config, pino({ level: 'silent' }));
  writeServices.outbox.start(taskHandlers(writeServices));
  return {
    writeServices,
    waiting,
    async release() {
      open();
      await writeServices.outbox.idle();
      await writeServices.close();
    },
  };
}

let stories = 0;
/** Two new people, of whom the one may follow the other. */
async function newPair() {
  stories++;
  const [reader, author] = [String(1000 + stories), String(2000 + stories)];
  await server.store([person(reader, `reader${reader}`), person(author, `author${author}`)]);
  return {
    reader,
    author,
    follows: (follows: boolean) =>
      act(server, reader, follows ? 'followUser' : 'unfollowUser', { id: encodeNodeId('User', author) }),
    posts: (content: string) => post(server, author, { content }),
    /** Everything that is to be done is done but what the slow server holds back. */
    settled: () => server.writeServices.outbox.idle(),
    async timeline() {
      const source = `{ user(username: "reader${reader}") { timeline { nodes { content } } } }`;
      const data = (await ask(server, source)) as { user: { timeline: { nodes: { content: string }[] } } };
      return data.user.timeline.nodes.map(({ content }) => content);
    },
  };
}

const postBy = ({ writeServices }: { writeServices: WriteServices }, author: string, content: string) =>
  postTweet(writeServices, author, {
    key: null,
    content,
    inReplyToId: null,
    quotedTweetId: null,
    draft: () => Promise.resolve({ ...plain, content }),
  });

test('following again while an unfollowing is still cleaning up brings everything back for good', async () => {
  const pair = await newPair();
  await pair.follows(true);
  const deleted = await pair.posts('deleted meanwhile');
  await pair.posts('before');
  await pair.settled();
  const slow = await slowServer();
  await setFollowing(slow.writeServices, pair.reader, pair.author, false);
  await slow.waiting;
  expect(await pair.timeline()).toEqual([]);
  await act(server, pair.author, 'deleteTweet', { id: deleted.id });
  await pair.posts('between');
  await pair.follows(true);
  expect(await pair.timeline()).toEqual(['between', 'before']);
  await pair.posts('after');
  await pair.settled();
  await slow.release();
  expect(await pair.timeline()).toEqual(['after', 'between', 'before']);
});

test('a tweet that is pushed late comes to nobody who follows no more, and to whom follows again', async () => {
  const pair = await newPair();
  await pair.follows(true);
  await pair.settled();
  const slow = await slowServer();
  await postBy(slow, pair.author, 'late');
  await slow.waiting;
  await pair.follows(false);
  await pair.settled();
  await slow.release();
  expect(await pair.timeline()).toEqual([]);
  await pair.follows(true);
  await pair.settled();
  expect(await pair.timeline()).toEqual(['late']);
});

test('a tweet that is pushed late, after it was deleted, comes to nobody', async () => {
  const pair = await newPair();
  await pair.follows(true);
  await pair.settled();
  const slow = await slowServer();
  const {
    tweet: { tweetId },
  } = await postBy(slow, pair.author, 'late');
  await slow.waiting;
  await act(server, pair.author, 'deleteTweet', { id: encodeNodeId('Tweet', tweetId) });
  await pair.settled();
  await slow.release();
  expect(await pair.timeline()).toEqual([]);
});

test('what a following brings in late does not come after an unfollowing', async () => {
  const pair = await newPair();
  await pair.posts('before');
  const slow = await slowServer();
  const following = setFollowing(slow.writeServices, pair.reader, pair.author, true);
  await slow.waiting;
  await pair.follows(false);
  await pair.settled();
  await slow.release();
  await following;
  expect(await pair.timeline()).toEqual([]);
});
