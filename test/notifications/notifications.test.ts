import { groupId } from '../../src/features/notification/group-id';
import { NotificationKind } from '../../src/features/notification/notification-kind';
import { notifiedByTweet } from '../../src/features/notification/notification.table';
import { jobs } from '../../src/jobs/all';
import { partitionRemovalOf } from '../../src/kit/cassandra/write';
import { notifyOfAct } from '../../src/write/notification/notify-group';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { follow, person, startHarness, tweet, type Harness } from '../support/harness';
import { subscribe } from '../live/subscriber';
import { act, post, put } from '../support/mutations';

const [ADA, BO, CY, DEE] = ['1', '2', '3', '4'];
const tweetNode = (tweetId: string) => encodeNodeId('Tweet', tweetId);
const userNode = (userId: string) => encodeNodeId('User', userId);

const NOTIFICATIONS = `query ($after: String) { viewer {
  unreadNotifications { count isCapped }
  notifications(first: 100, after: $after) {
    pageInfo { endCursor hasNextPage }
    edges { cursor node { id kind text isSeen actorCount listedAt tweet { tweetId } actors(first: 3) { edges { at node { username } } nodes { username } pageInfo { hasNextPage } } } }
  }
} }`;

interface Notifications {
  readonly viewer: {
    readonly unreadNotifications: { readonly count: number; readonly isCapped: boolean };
    readonly notifications: {
      readonly edges: readonly {
        readonly cursor: string;
        readonly node: {
          readonly id: string;
          readonly kind: string;
          readonly text: string;
          readonly isSeen: boolean;
          readonly actorCount: number;
          readonly tweet: { readonly tweetId: string } | null;
          readonly actors: { readonly nodes: readonly { readonly username: string }[] };
        };
      }[];
    };
  };
}

let server: Harness;
let address: string;
beforeAll(async () => {
  server = await startHarness({ SUBSCRIPTION_READ_SECONDS: '1' });
  address = await server.listen();
  await server.store([
    ...[ADA, BO, CY, DEE].map((id, n) => person(id, ['ada', 'bo', 'cy', 'dee'][n] ?? '')),
    follow(BO, ADA),
    tweet('100', ADA),
    tweet('101', ADA, 1, { inReplyToId: '100', mentions: ['bo'] }),
  ]);
});

async function notificationsOf(who: string) {
  await server.writeServices.outbox.idle();
  const { data, errors } = await server.query(NOTIFICATIONS, {}, who);
  expect(errors).toEqual([]);
  const { viewer } = data as Notifications;
  const edges = viewer.notifications.edges;
  const unseen = edges.filter(({ node }) => !node.isSeen).length;
  expect(viewer.unreadNotifications).toEqual({ count: unseen, isCapped: false });
  return edges.map(({ cursor, node }) => ({ ...node, cursor }));
}

const told = async (who: string) => (await notificationsOf(who)).map(({ text }) => text);

test('imports notify nobody', async () => {
  expect(await told(ADA)).toEqual([]);
  expect(await told(BO)).toEqual([]);
});

test('likes of one tweet are one group, which its members leave when they take them back', async () => {
  for (const who of [BO, CY, DEE, ADA]) await act(server, who, 'likeTweet', { id: tweetNode('100') });
  const [group, ...others] = await notificationsOf(ADA);
  expect(others).toEqual([]);
  expect(group).toMatchObject({
    kind: 'LIKE',
    text: 'The dee and 2 others like your tweet.',
    actorCount: 3,
    tweet: { tweetId: '100' },
    actors: { nodes: [{ username: 'dee' }, { username: 'cy' }, { username: 'bo' }] },
  });
  await act(server, DEE, 'unlikeTweet', { id: tweetNode('100') });
  await act(server, DEE, 'unlikeTweet', { id: tweetNode('100') });
  expect(await told(ADA)).toEqual(['The cy and 1 other like your tweet.']);
  await act(server, DEE, 'likeTweet', { id: tweetNode('100') });
  expect((await notificationsOf(ADA))[0]).toMatchObject({ id: group?.id, actorCount: 3 });
  for (const who of [BO, CY, DEE]) await act(server, who, 'unlikeTweet', { id: tweetNode('100') });
  expect(await told(ADA)).toEqual([]);
});

test('follows and shares notify, and are taken back', async () => {
  await act(server, CY, 'followUser', { id: userNode(ADA) });
  await act(server, DEE, 'followUser', { id: userNode(ADA) });
  await act(server, BO, 'shareTweet', { id: tweetNode('101') });
  expect(await told(ADA)).toEqual(['The bo shared your tweet.', 'The dee and 1 other follow you.']);
  await act(server, BO, 'unshareTweet', { id: tweetNode('101') });
  await act(server, DEE, 'unfollowUser', { id: userNode(ADA) });
  expect(await told(ADA)).toEqual(['The cy follows you.']);
  await act(server, BO, 'shareTweet', { id: tweetNode('101') });
  expect(await told(ADA)).toEqual(['The bo shared your tweet.', 'The cy follows you.']);
});

test('a deleted tweet takes its notifications with it', async () => {
  await act(server, BO, 'likeTweet', { id: tweetNode('100') });
  expect(await told(ADA)).toContain('The bo likes your tweet.');
  await act(server, ADA, 'deleteTweet', { id: tweetNode('100') });
  expect(await told(ADA)).not.toContain('The bo likes your tweet.');
});

test('what was marked as seen stays seen, and an older mark changes nothing', async () => {
  const [first, second] = await notificationsOf(ADA);
  const mark = (cursor = '') => act(server, ADA, 'markNotificationsSeen', { until: cursor });
  expect(await mark(second?.cursor)).toEqual({ unreadNotifications: { count: 1, isCapped: false } });
  expect(await mark(first?.cursor)).toEqual({ unreadNotifications: { count: 0, isCapped: false } });
  expect(await mark(second?.cursor)).toEqual({ unreadNotifications: { count: 0, isCapped: false } });
  expect((await notificationsOf(ADA)).map(({ isSeen }) => isSeen)).toEqual([true, true]);
});

test('nobody else reads them', async () => {
  const source = '{ user(username: "ada") { notifications { nodes { id } } unreadNotifications { count } } }';
  const { data, errors } = await server.query(source, {}, BO);
  expect(data).toEqual({ user: { notifications: null, unreadNotifications: null } });
  expect(errors.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN', 'FORBIDDEN']);
});

test('a tweet notifies once whom it mentions, quotes and replies to, of the strongest of these', async () => {
  const first = await post(server, CY, { content: 'first' });
  const second = await post(server, DEE, { content: 'second', inReplyTo: first.id });
  const third = await post(server, BO, { content: 'third', inReplyTo: second.id });
  const last = await post(server, BO, {
    content: 'cc @Cy @bo @ada @nobody @cy',
    inReplyTo: third.id,
    quotes: second.id,
  });
  const ofLast = async (who: string) =>
    (await notificationsOf(who)).filter((one) => one.tweet?.tweetId === last.tweetId).map(({ text }) => text);
  expect(await ofLast(ADA)).toEqual(['The bo mentioned you.']);
  expect(await ofLast(CY)).toEqual(['The bo mentioned you.']);
  expect(await ofLast(DEE)).toEqual(['The bo quoted your tweet.']);
  expect(await ofLast(BO)).toEqual([]);
  expect(await told(CY)).toEqual([
    'The bo mentioned you.',
    'The bo replied below your tweet.',
    'The dee replied below your tweet.',
  ]);
  await act(server, BO, 'deleteTweet', { id: last.id });
  for (const who of [ADA, CY, DEE]) expect(await ofLast(who)).toEqual([]);
  await act(server, BO, 'deleteTweet', { id: third.id });
  const fourth = await post(server, BO, { content: 'fourth', inReplyTo: second.id });
  await act(server, DEE, 'deleteTweet', { id: second.id });
  const before = await told(CY);
  await post(server, BO, { content: 'below a deleted one', inReplyTo: fourth.id });
  expect(await told(CY)).toEqual(before);
});

test('a comment notifies the author of its article', async () => {
  const input = { title: 'Today', body: 'It rains.' };
  const { article } = (await act(server, ADA, 'publishArticle', { input })) as { article: { id: string } };
  for (const who of [ADA, BO])
    await act(server, who, 'addComment', { input: { articleId: article.id, body: `says ${who}` } });
  expect((await told(ADA))[0]).toBe('The bo commented on your article.');
  const source =
    '{ viewer { notifications(first: 1, kinds: [COMMENT]) { nodes { kind comment { body article { title } } tweet { id } } } } }';
  expect((await server.query(source, {}, ADA)).data).toEqual({
    viewer: {
      notifications: {
        nodes: [{ kind: 'COMMENT', comment: { body: 'says 2', article: { title: 'Today' } }, tweet: null }],
      },
    },
  });
});

test('whom a user blocks or mutes, or whose thread is muted, notifies of nothing, and all of it comes back', async () => {
  const tweeted = await post(server, CY, { content: 'a thread' });
  const reply = await post(server, DEE, { content: 'below it', inReplyTo: tweeted.id });
  await post(server, DEE, { content: 'hello @cy', inReplyTo: reply.id });
  for (const who of [BO, DEE]) await act(server, who, 'likeTweet', { id: tweeted.id });
  const all = await told(CY);
  expect(all.slice(0, 3)).toEqual([
    'The dee and 1 other like your tweet.',
    'The dee mentioned you.',
    'The dee replied below your tweet.',
  ]);
  const other = (name: string) => ({ id: userNode(name) });
  const rest = all.slice(3);
  await act(server, CY, 'blockUser', other(DEE));
  // The number is a fact; whoever is hidden is not among those who are shown.
  expect((await notificationsOf(CY))[0]).toMatchObject({
    text: 'The bo and 1 other like your tweet.',
    actorCount: 2,
    actors: { nodes: [{ username: 'bo' }] },
  });
  expect((await told(CY)).filter((text) => text.startsWith('The dee'))).toEqual([]);
  await act(server, CY, 'muteUser', { ...other(BO), scope: ['NOTIFICATIONS'] });
  expect(await told(CY)).toEqual([]);
  await act(server, CY, 'unmuteUser', other(BO));
  await act(server, CY, 'unblockUser', other(DEE));
  expect(await told(CY)).toEqual(all);
  await act(server, CY, 'muteThread', { id: reply.id });
  expect(await told(CY)).toEqual(['The dee mentioned you.', ...rest]);
  const { id: elsewhere } = await post(server, BO, { content: 'elsewhere' });
  await act(server, BO, 'shareTweet', { id: reply.id });
  const { data: newest } = await server.query(
    '{ user(username: "bo") { tweets(first: 1) { nodes { id } } } }',
  );
  const shareId = (newest as { user: { tweets: { nodes: { id: string }[] } } }).user.tweets.nodes[0]?.id;
  const mutedIn = async (who: string | null) => {
    const ids = [tweeted.id, reply.id, shareId, elsewhere];
    const { data } = await server.query(
      'query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Tweet { viewerHasMutedThread } } }',
      { ids },
      who,
    );
    return (data as { nodes: { viewerHasMutedThread: boolean }[] }).nodes.map(
      ({ viewerHasMutedThread }) => viewerHasMutedThread,
    );
  };
  expect(await mutedIn(CY)).toEqual([true, true, true, false]);
  for (const who of [DEE, null]) expect(await mutedIn(who)).toEqual([false, false, false, false]);
  await act(server, CY, 'unmuteThread', { id: tweeted.id });
  expect(await mutedIn(CY)).toEqual([false, false, false, false]);
  await act(server, BO, 'unshareTweet', { id: reply.id });
  expect(await told(CY)).toEqual(all);
});

test('a muted word hides notifications of tweets that have it or quote it, and its end brings them back', async () => {
  const quoted = await post(server, DEE, { content: 'a sour plum' });
  await post(server, BO, { content: 'hello @cy, see this', quotes: quoted.id });
  await post(server, BO, { content: 'a plum for @cy' });
  const all = await told(CY);
  const muted = await act(server, CY, 'muteWords', { input: { text: 'Plum', where: ['NOTIFICATIONS'] } });
  expect(await told(CY)).toEqual(all.slice(2));
  await act(server, CY, 'unmuteWords', { id: (muted as { mutedWord: { id: string } }).mutedWord.id });
  expect(await told(CY)).toEqual(all);
});

test('a mention across a block is plain text, also when the block has ended', async () => {
  const listed = async () => {
    const [row] = await server.database.run(
      'SELECT count(*) AS rows FROM notifications_by_user WHERE user_id = ? AND bucket = 0',
      [CY],
    );
    return Number(row?.['rows']);
  };
  const before = await listed();
  for (const [blocker, blocked] of [
    [CY, DEE],
    [DEE, CY],
  ] as const) {
    await act(server, blocker, 'blockUser', { id: userNode(blocked) });
    await post(server, DEE, { content: 'hello @cy' });
    await server.writeServices.outbox.idle();
    await act(server, blocker, 'unblockUser', { id: userNode(blocked) });
    expect(await listed()).toBe(before);
  }
  const { tweetId } = await post(server, DEE, { content: 'hello again @cy' });
  expect((await notificationsOf(CY))[0]).toMatchObject({
    text: 'The dee mentioned you.',
    tweet: { tweetId },
  });
});

test('a page of actors says how many of them are hidden', async () => {
  const { id } = await post(server, CY, { content: 'to be liked' });
  for (const who of [ADA, BO, DEE]) await act(server, who, 'likeTweet', { id });
  for (const who of [BO, DEE]) await act(server, CY, 'muteUser', { id: userNode(who) });
  await server.writeServices.outbox.idle();
  const source =
    '{ viewer { notifications(first: 1) { nodes { actorCount actors { hiddenCount nodes { username } } } } } }';
  expect((await server.query(source, {}, CY)).data).toEqual({
    viewer: {
      notifications: {
        nodes: [{ actorCount: 3, actors: { hiddenCount: 2, nodes: [{ username: 'ada' }] } }],
      },
    },
  });
  for (const who of [BO, DEE]) await act(server, CY, 'unmuteUser', { id: userNode(who) });
});

test('whoever was suspended when a tweet mentioned it is not told, and nothing is missing later', async () => {
  const id = userNode(DEE);
  await act(server, 'service', 'suspendUser', { id, reason: 'spam' });
  await post(server, ADA, { content: 'hello suspended @dee' });
  await server.writeServices.outbox.idle();
  await act(server, 'service', 'unsuspendUser', { id, reason: 'none' });
  const job = jobs.find(({ name }) => name === 'notified_by_tweet');
  expect(await job?.verify({ database: server.database, retentionMonths: null }, 1000)).toMatchObject({
    ...{ missing: 0, surplus: 0, different: 0, examples: [] },
  });
});

test('whoever comes by a name after a tweet that mentions it is not told, and nothing is missing', async () => {
  const { tweetId } = await post(server, ADA, { content: 'hello @eve, whoever will be @eve, and @Eve_2' });
  await server.writeServices.outbox.idle();
  const late = await put(server, 'service', 'createUser', { username: 'Eve', name: 'The Eve' });
  await server.store([person('77', 'eve_2')]);
  expect(await notificationsOf(late.userId)).toEqual([]);
  const job = jobs.find(({ name }) => name === 'notified_by_tweet');
  const verify = () => job?.verify({ database: server.database, retentionMonths: null }, 1000);
  expect(await verify()).toMatchObject({ missing: 0, surplus: 0, different: 0, examples: [] });
  // What is lost of somebody who was there is missing still.
  const told = await post(server, ADA, { content: 'hello again @eve' });
  await server.writeServices.outbox.idle();
  const { query, params } = partitionRemovalOf(notifiedByTweet, { tweetId: told.tweetId });
  await server.database.write(query, params);
  expect(await verify()).toMatchObject({ missing: 1, surplus: 0, different: 0 });
  expect((await notificationsOf(late.userId)).map(({ tweet: of }) => of?.tweetId)).toEqual([told.tweetId]);
  expect(told.tweetId).not.toBe(tweetId);
});

interface Received {
  readonly notificationReceived: { readonly cursor: string; readonly node: { readonly text: string } };
}
const RECEIVED =
  'subscription ($after: String) { notificationReceived(after: $after) { cursor node { text } } }';

test('a subscription gives what is listed, and goes on after a cursor', async () => {
  const mine = await subscribe<Received>(address, { query: RECEIVED, who: DEE });
  const { id } = await post(server, DEE, { content: 'like this' });
  await act(server, BO, 'likeTweet', { id });
  const first = await mine.next();
  expect(first.data?.notificationReceived.node.text).toBe('The bo likes your tweet.');
  // A second like lists nothing anew within five minutes.
  await act(server, CY, 'likeTweet', { id });
  await post(server, CY, { content: 'hello @dee' });
  const second = await mine.next();
  expect(second.data?.notificationReceived.node.text).toBe('The cy mentioned you.');
  await mine.close();
  await post(server, ADA, { content: 'hello @dee' });
  const after = first.data?.notificationReceived.cursor;
  const resumed = await subscribe<Received>(address, { query: RECEIVED, variables: { after }, who: DEE });
  const texts: (string | undefined)[] = [];
  for (let n = 0; n < 2; n++) texts.push((await resumed.next()).data?.notificationReceived.node.text);
  expect(texts).toEqual(['The cy mentioned you.', 'The ada mentioned you.']);
});

test('an act that seems to be the first joins the group that is there', async () => {
  const notified = { userId: '1', kind: NotificationKind.LIKE as const, subjectId: '889', rootId: null };
  const notify = async (actorId: string) => {
    const now = new Date();
    const act = { actorId, present: true, since: now, changedAt: now };
    await notifyOfAct(server.writeServices, notified, act, { isRepeated: false, isFirst: true });
    const [row] = await server.database.run(
      'SELECT member_count FROM notification_groups WHERE group_id = ? AND section = 0 AND at = 0 AND actor_id = -1',
      [groupId(notified, 0)],
    );
    return row?.['member_count'] as unknown;
  };
  expect([await notify('2'), await notify('3'), await notify('3')]).toEqual([1, 2, 2]);
});

test('nodes has room for 100 notifications, and what is too many is refused within the bound', async () => {
  const { id: liked } = await post(server, ADA, { content: 'liked by one' });
  await act(server, BO, 'likeTweet', { id: liked });
  const [first] = await notificationsOf(ADA);
  const made = Array.from({ length: 99 }, (_, n) =>
    encodeNodeId('Notification', `1800000000000000${n + 100}`),
  );
  const ids = [first?.id ?? '', ...made];
  const limits = { LIMIT_READS: '10000', LIMIT_ROWS: '500000', LIMIT_BYTES: '268435456' };
  const limited = await startHarness(limits, server);
  const ask = async (aliases: number) => {
    const lists = Array.from({ length: aliases }, (_, n) => `a${n}: nodes(ids: $ids) { id }`);
    const query = `query ($ids: [ID!]!) { ${lists.join(' ')} }`;
    const { body } = await limited.post(JSON.stringify({ query, variables: { ids } }), ADA);
    return JSON.parse(body) as {
      readonly data: Readonly<Record<string, readonly unknown[]>> | null;
      readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
      readonly extensions: {
        readonly cost: Readonly<Record<'bound' | 'boundOfRows' | 'reads' | 'rows', number>>;
      };
    };
  };
  const { data, errors, extensions } = await ask(1);
  expect(errors).toBeUndefined();
  expect(data?.['a0']?.filter((node) => node !== null)).toEqual([{ id: first?.id }]);
  const { bound, boundOfRows, reads, rows } = extensions.cost;
  expect([reads <= bound, rows <= boundOfRows]).toEqual([true, true]);
  const many = await ask(20);
  expect(new Set(many.errors?.map(({ extensions: { code } }) => code))).toEqual(new Set(['QUERY_TOO_LARGE']));
  expect(many.extensions.cost.bound).toBeLessThanOrEqual(10_000);
  await limited.close();
});
