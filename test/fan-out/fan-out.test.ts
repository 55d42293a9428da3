import fc from 'fast-check';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { readMode } from '../../src/write/timeline/fan-out-mode';
import { person, startHarness } from '../support/harness';
import { isLong } from '../support/long';
import { act, ask, codesOf, post, type Posted } from '../support/mutations';
import { checkAll, checkAtOnce } from './checks';
import { deedIn } from './deeds';
import { everyone, PEOPLE, type Deed, type Model } from './model';
import { idle, LIMITS, servers, setStages } from './stages';

async function play(deeds: readonly (Deed | 'settle')[], size: number): Promise<void> {
  const stages = await setStages();
  const model: Model = { follows: new Set(), items: [] };
  for (const deed of [...deeds, 'settle' as const]) {
    if (deed === 'settle') {
      await idle();
      await checkAll(stages, model, size);
      continue;
    }
    const done = deedIn(model, deed);
    if (done === null) continue;
    await Promise.all(stages.map(done.on));
    done.change();
    await Promise.all(stages.map((stage) => checkAtOnce(stage, model, deed)));
  }
  expect((await servers[0]?.writeServices.outbox.pending()) ?? []).toEqual([]);
}

/** Most follow or unfollow the first, so that the number of its followers goes up and down across the middle limit. */
const deed: fc.Arbitrary<Deed | 'settle'> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc
      .tuple(
        fc.constantFrom('follow' as const, 'follow' as const, 'unfollow' as const),
        fc.integer({ min: 1, max: 4 }),
      )
      .map(([kind, who]) => ({ kind, who, to: PEOPLE - 1 - who })),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        ...(['follow', 'unfollow', 'tweet', 'tweet', 'reply', 'share', 'unshare', 'delete'] as const),
      ),
      who: fc.constantFrom(0, 0, ...everyone),
      to: fc.nat(50),
    }),
  },
  { weight: 1, arbitrary: fc.constant('settle' as const) },
);

test('timelines are the same whether tweets are pushed or merged in', async () => {
  const story = fc.tuple(fc.array(deed, { minLength: 20, maxLength: 35 }), fc.integer({ min: 1, max: 4 }));
  await fc.assert(
    fc.asyncProperty(story, ([deeds, size]) => play(deeds, size)),
    // A story takes seconds: the seed in the message tells it again.
    { numRuns: isLong ? 20 : 2, endOnFailure: true },
  );
});

/** Has people follow the first, or not, and the first post; what must be so is checked after each step. */
async function stepper() {
  const stages = await setStages();
  const model: Model = { follows: new Set(), items: [] };
  const middle = stages[LIMITS.indexOf(3)];
  return async (kind: 'follow' | 'unfollow' | 'tweet', who: number) => {
    const done = deedIn(model, { kind, who, to: Math.max(0, PEOPLE - 1 - who) });
    if (done === null || !middle) throw new Error(`there must be something to ${kind}`);
    await Promise.all(stages.map(done.on));
    done.change();
    await idle();
    await checkAll(stages, model, 3);
    return (await readMode(middle.server.writeServices, middle.userId(0))).mode;
  };
}

test('an author changes above the limit, and back only below four fifths of it', async () => {
  const [first] = servers;
  const server = await startHarness({ FANOUT_PUSH_LIMIT: '5' }, first);
  const followers = Array.from({ length: 6 }, (_, n) => String(9_000_001 + n));
  const author = '9000000';
  await server.store([author, ...followers].map((id) => person(id, `user${id}`)));
  const posted: string[] = [];
  const following = new Set<string>();
  const step = async (kind: 'followUser' | 'unfollowUser', who: string) => {
    await act(server, who, kind, { id: encodeNodeId('User', author) });
    if (kind === 'followUser') following.add(who);
    else following.delete(who);
    posted.unshift(`${kind} ${posted.length}`);
    await post(server, author, { content: posted[0] });
    await server.writeServices.outbox.idle();
    const timelines = followers.map(
      (id) => `u${id}: user(username: "user${id}") { timeline { nodes { content } } }`,
    );
    expect(await ask(server, `{ ${timelines.join(' ')} }`)).toEqual(
      Object.fromEntries(
        followers.map((id) => [
          `u${id}`,
          { timeline: { nodes: (following.has(id) ? posted : []).map((content) => ({ content })) } },
        ]),
      ),
    );
    return (await readMode(server.writeServices, author)).mode;
  };
  const walked: string[] = [];
  for (const who of followers) walked.push(await step('followUser', who));
  for (const who of followers.slice(0, 3)) walked.push(await step('unfollowUser', who));
  for (const who of followers.slice(0, 3)) walked.push(await step('followUser', who));
  expect(walked).toEqual([
    ...['push', 'push', 'push', 'push', 'push', 'pull'],
    ...['pull', 'pull', 'push'],
    ...['push', 'push', 'pull'],
  ]);
  await server.close();
});

test('an author with few followers is pushed or pulled as the mode says, also one who was pulled before', async () => {
  const server = servers[LIMITS.indexOf(10_000)];
  if (!server) throw new Error('there must be a server');
  const [author, follower] = ['9100000', '9100001'];
  await server.store([author, follower].map((id) => person(id, `user${id}`)));
  await act(server, follower, 'followUser', { id: encodeNodeId('User', author) });
  const setMode = (mode: string, version: number) =>
    server.database.write(
      'INSERT INTO fanout_modes (author_id, mode, version, shed_until) VALUES (?, ?, ?, ?)',
      [author, mode, version, new Date(Date.now() + 3_600_000)],
    );
  // The follower is not told that the author is pulled, so the timeline has what was pushed.
  const isPushed = async () => {
    const { tweetId } = await post(server, author, { content: 'pushed?' });
    await server.writeServices.outbox.idle();
    const { user } = (await ask(
      server,
      `{ user(username: "user${follower}") { timeline { nodes { tweetId } } } }`,
    )) as { user: { timeline: { nodes: readonly Pick<Posted, 'tweetId'>[] } } };
    return user.timeline.nodes.some((one) => one.tweetId === tweetId);
  };
  const pushed = [await isPushed()];
  for (const [version, mode] of ['pull', 'push', 'pull'].entries()) {
    await setMode(mode, version + 1);
    pushed.push(await isPushed());
  }
  expect(pushed).toEqual([true, false, true, false]);
});

test('who followed several times before an author changed has what is posted then', async () => {
  const step = await stepper();
  await step('tweet', 0);
  for (let n = 0; n < 3; n++) {
    await step('follow', 1);
    await step('unfollow', 1);
  }
  for (const who of [1, 2, 3]) await step('follow', who);
  expect(await step('follow', 4)).toBe('pull');
  await step('tweet', 0);
  for (const who of [4, 3]) await step('unfollow', who);
  expect(await step('tweet', 0)).toBe('push');
});

test('unfollowing and deleting are seen at the next read, before the work after the answer is done', async () => {
  const [first] = servers;
  const server = await startHarness({}, first, { held: true });
  const [reader, author, sharer] = ['9100000', '9100001', '9100002'] as const;
  await server.store([reader, author, sharer].map((id) => person(id, `user${id}`)));
  const { id } = await post(server, author, { content: 'to delete' });
  await post(server, author, { content: 'to hide' });
  await act(server, sharer, 'shareTweet', { id });
  for (const followee of [author, sharer])
    await act(server, reader, 'followUser', { id: encodeNodeId('User', followee) });
  const nodes = '{ nodes { content author { userId } } }';
  const lists = async () => {
    const data = await ask(
      server,
      `{ user(username: "user${reader}") { timeline ${nodes} } sharer: user(username: "user${sharer}") { tweets ${nodes} } }`,
    );
    const { user, sharer: of } = data as Record<
      'user' | 'sharer',
      Record<string, { nodes: { content: string }[] }>
    >;
    return [user['timeline'], of['tweets']].map((list) => list?.nodes.map(({ content }) => content));
  };
  expect(await lists()).toEqual([['to delete', 'to hide', 'to delete'], ['to delete']]);
  await act(server, reader, 'unfollowUser', { id: encodeNodeId('User', author) });
  expect(await lists()).toEqual([['to delete'], ['to delete']]);
  await act(server, author, 'deleteTweet', { id });
  expect(await lists()).toEqual([[], []]);
  expect((await server.writeServices.outbox.pending()).length).toBeGreaterThan(1);
  await server.close();
});

test('deleting oneself what one shared takes the share back', async () => {
  const [stage] = await setStages();
  if (!stage) throw new Error('there must be a server');
  const { server, userId, username } = stage;
  const { id } = await post(server, userId(0), { content: 'shared' });
  await act(server, userId(1), 'shareTweet', { id });
  const shares = `{ user(username: "${username(1)}") { tweetCount tweets { nodes { id sharedTweet { shareCount } } } } node(id: "${id}") { ... on Tweet { shareCount viewerHasShared } } }`;
  for (let n = 1; n <= 3; n++) {
    const { user } = (await ask(server, shares, userId(1))) as {
      user: { tweets: { nodes: { id: string }[] } };
    };
    expect(user).toMatchObject({ tweetCount: 1, tweets: { nodes: [{ sharedTweet: { shareCount: 1 } }] } });
    const share = user.tweets.nodes[0]?.id ?? '';
    expect(await codesOf(server, userId(1), 'deleteTweet', { id: share })).toEqual([]);
    const none = {
      user: { tweetCount: 0, tweets: { nodes: [] } },
      node: { shareCount: 0, viewerHasShared: false },
    };
    expect(await ask(server, shares, userId(1))).toEqual(none);
    if (n === 2) await server.writeServices.outbox.idle();
    await act(server, userId(1), 'shareTweet', { id });
  }
});
