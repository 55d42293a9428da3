import { setTimeout as sleep } from 'node:timers/promises';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { groupId } from '../../src/features/notification/group-id';
import { NotificationKind } from '../../src/features/notification/notification-kind';
import { notifyOfAct } from '../../src/write/notification/notify-group';
import { person, startHarness, type Harness } from '../support/harness';
import { isLong } from '../support/long';
import { act, mutations, post, type Mutation, type Posted } from '../support/mutations';

/** How many acts are tried: `npm run test:long` tries as many as a group may have members. */
const ACTS = isLong ? 10_000 : 120;
const ACTS_BETWEEN_LOOKS = 30;
if (ACTS > 1000) jest.setTimeout(3_600_000);
const PEOPLE = ['1', '2', '3', '4', '5'];
const NAMES = ['ada', 'bo', 'cy', 'dee', 'eve'];

/** A word that some tweets have, and some people mute. */
const WORD = 'noise';

const LOOK = `query ($after: String) { viewer { unreadNotifications { count isCapped } notifications(first: 40, after: $after) {
  pageInfo { endCursor hasNextPage }
  edges { cursor node { id kind isSeen actorCount tweet { tweetId } actors(first: 10) { nodes { userId } } } } } } }`;

interface Look {
  readonly viewer: {
    readonly unreadNotifications: { readonly count: number; readonly isCapped: boolean };
    readonly notifications: {
      readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
      readonly edges: readonly {
        readonly cursor: string;
        readonly node: {
          readonly id: string;
          readonly kind: string;
          readonly isSeen: boolean;
          readonly actorCount: number;
          readonly tweet: { readonly tweetId: string } | null;
          readonly actors: { readonly nodes: readonly { readonly userId: string }[] };
        };
      }[];
    };
  };
}

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store(PEOPLE.map((id, n) => person(id, NAMES[n] ?? '')));
});

/** All notifications that a user sees, and the badge. */
async function look(who: string) {
  const edges: Edge[] = [];
  let badge = { count: 0, isCapped: false };
  for (let after: string | null = null, isMore = true; isMore;) {
    const { data, errors } = await server.query(LOOK, { after }, who);
    expect(errors).toEqual([]);
    const { viewer } = data as Look;
    if (after === null) badge = viewer.unreadNotifications;
    edges.push(...viewer.notifications.edges);
    ({ endCursor: after, hasNextPage: isMore } = viewer.notifications.pageInfo);
  }
  return { badge, edges };
}

interface Muted {
  readonly mutedWord: { readonly id: string };
}

type Edge = Look['viewer']['notifications']['edges'][number];

/** Who acted, by the notification's id, page by page. */
async function walkActors(who: string, { node: { id } }: Edge, random: (bound: number) => number) {
  const query =
    'query ($id: ID!, $first: Int, $after: String) { node(id: $id) { ... on Notification { actors(first: $first, after: $after) { nodes { userId } pageInfo { endCursor hasNextPage } } } } }';
  const found: string[] = [];
  for (let after: string | null = null, isMore = true; isMore;) {
    const { data, errors } = await server.query(query, { id, first: 1 + random(3), after }, who);
    expect(errors).toEqual([]);
    const { actors } = (data as { node: Pick<ActorsOf, 'actors'> }).node;
    found.push(...actors.nodes.map(({ userId }) => userId));
    ({ endCursor: after, hasNextPage: isMore } = actors.pageInfo);
  }
  return found;
}

interface ActorsOf {
  readonly actors: {
    readonly nodes: readonly { readonly userId: string }[];
    readonly pageInfo: { readonly endCursor: string | null; readonly hasNextPage: boolean };
  };
}

interface Tweeted extends Posted {
  readonly author: string;
  readonly quoted: Tweeted | null;
  readonly parent: Tweeted | null;
  readonly root: Tweeted | null;
  readonly told: ReadonlyMap<string, string>;
  readonly likes: Set<string>;
  readonly shares: Set<string>;
  isDeleted: boolean;
}

/** What people have done, by the definitions of docs/notifications.md, in memory. */
class World {
  readonly tweets: Tweeted[] = [];
  readonly follows = new Set<string>();
  readonly blocks = new Set<string>();
  readonly mutes = new Set<string>();
  readonly threads = new Set<string>();
  /** Who mutes the word that some tweets have. */
  readonly words = new Map<string, string>();

  isBlocked(one: string, other: string): boolean {
    return this.blocks.has(`${one} ${other}`) || this.blocks.has(`${other} ${one}`);
  }

  add(tweet: Posted, author: string, parent: Tweeted | null, quoted: Tweeted | null, mentioned: string[]) {
    const told = new Map<string, string>();
    for (let above = parent, n = 0; above !== null && n < 5; above = above.parent, n++) {
      if (above.isDeleted || this.isBlocked(author, above.author)) break;
      told.set(above.author, 'REPLY');
    }
    if (quoted) told.set(quoted.author, 'QUOTE');
    for (const who of mentioned) if (!this.isBlocked(author, who)) told.set(who, 'MENTION');
    told.delete(author);
    const root = parent === null ? null : (parent.root ?? parent);
    const acts = { likes: new Set<string>(), shares: new Set<string>(), isDeleted: false };
    this.tweets.push({ ...tweet, author, parent, quoted, root, told, ...acts });
  }

  /** Whether a tweet, or what it quotes, has a word that a user mutes. */
  hasMutedWord(who: string, { content, quoted }: Tweeted): boolean {
    const texts = [content, quoted?.isDeleted === false ? quoted.content : ''];
    return this.words.has(who) && texts.some((text) => text.includes(WORD));
  }

  /** What a user sees: each notification as text, in any order. */
  of(who: string): string[] {
    const isSeen = (actor: string) => !this.isBlocked(who, actor) && !this.mutes.has(`${who} ${actor}`);
    const entry = (kind: string, tweetId: string | null, actors: readonly string[]) => {
      const others = actors.filter((actor) => actor !== who);
      const seen = others.filter(isSeen).sort();
      return seen.length === 0 ? [] : [JSON.stringify([kind, tweetId, others.length, seen])];
    };
    const followers = PEOPLE.filter((other) => this.follows.has(`${other} ${who}`));
    return [
      ...entry('FOLLOW', null, followers),
      ...this.tweets.flatMap((tweet) => {
        const { tweetId, author, root, told, likes, shares } = tweet;
        if (tweet.isDeleted) return [];
        const kind = told.get(who);
        const isMuted = this.threads.has(`${who} ${(root ?? tweet).tweetId}`);
        return [
          ...(kind !== undefined && (!isMuted || kind === 'MENTION') && !this.hasMutedWord(who, tweet)
            ? entry(kind, tweetId, [author])
            : []),
          ...(author === who && !isMuted
            ? [...entry('LIKE', tweetId, [...likes]), ...entry('SHARE', tweetId, [...shares])]
            : []),
        ];
      }),
    ].sort();
  }
}

/** Numbers below a bound, which depend on a seed only. */
function createRandom(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

test('whatever people do, the list has what they did and the badge is the number of what the list shows as unseen', async () => {
  const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);
  const random = createRandom(seed);
  const pick = <T>(from: readonly T[]): T | undefined => from[random(from.length)];
  const world = new World();
  const does = async (who: string, name: Mutation, variables: Record<string, unknown>) =>
    (await server.query(mutations[name], variables, who)).errors.length === 0;
  const toggle = async (
    set: Set<string>,
    key: string,
    who: string,
    names: [Mutation, Mutation],
    id: string,
  ) => {
    if (!(await does(who, set.has(key) ? names[1] : names[0], { id }))) return false;
    if (!set.delete(key)) set.add(key);
    return true;
  };
  const actOnce = async () => {
    const [who = '1', other = '2'] = [pick(PEOPLE), pick(PEOPLE)];
    const tweet = pick(world.tweets.slice(-40).filter(({ isDeleted }) => !isDeleted));
    const user = encodeNodeId('User', other);
    const kind = random(25);
    if (tweet === undefined || kind < 5) {
      const parent = random(3) > 0 ? (tweet ?? null) : null;
      const quoted = random(4) === 0 ? (tweet ?? null) : null;
      const mentioned = random(3) === 0 ? [other] : [];
      const content = [
        random(4) === 0 ? WORD : 'hi',
        ...mentioned.map((one) => `@${NAMES[Number(one) - 1] ?? ''}`),
      ].join(' ');
      const input = {
        content,
        ...(parent && { inReplyTo: parent.id }),
        ...(quoted && { quotes: quoted.id }),
      };
      const { data, errors } = await server.query(mutations.createTweet, { input }, who);
      const posted = (data as { createTweet: { tweet: Posted } | null }).createTweet;
      if (posted && errors.length === 0) world.add(posted.tweet, who, parent, quoted, mentioned);
    } else if (kind < 10) await toggle(tweet.likes, who, who, ['likeTweet', 'unlikeTweet'], tweet.id);
    else if (kind < 13) await toggle(tweet.shares, who, who, ['shareTweet', 'unshareTweet'], tweet.id);
    else if (kind < 14) {
      if (await does(tweet.author, 'deleteTweet', { id: tweet.id })) tweet.isDeleted = true;
    } else if (kind < 15) {
      const root = tweet.root ?? tweet;
      const names: [Mutation, Mutation] = ['muteThread', 'unmuteThread'];
      await toggle(world.threads, `${who} ${root.tweetId}`, who, names, tweet.id);
    } else if (kind < 16) {
      const id = world.words.get(who);
      const input = { text: 'Noise', where: ['NOTIFICATIONS'] };
      if (id === undefined)
        world.words.set(who, ((await act(server, who, 'muteWords', { input })) as Muted).mutedWord.id);
      else if (await does(who, 'unmuteWords', { id })) world.words.delete(who);
    } else if (who === other) return;
    else if (kind < 19)
      await toggle(world.follows, `${who} ${other}`, who, ['followUser', 'unfollowUser'], user);
    else if (kind < 21) {
      const names: [Mutation, Mutation] = ['blockUser', 'unblockUser'];
      await toggle(world.blocks, `${who} ${other}`, who, names, user);
      if (world.blocks.has(`${who} ${other}`))
        for (const pair of [`${who} ${other}`, `${other} ${who}`]) world.follows.delete(pair);
    } else if (kind < 23) await toggle(world.mutes, `${who} ${other}`, who, ['muteUser', 'unmuteUser'], user);
    else {
      const until = pick((await look(who)).edges)?.cursor;
      if (until !== undefined) await does(who, 'markNotificationsSeen', { until });
    }
  };
  for (let n = 0; n < ACTS; n++) {
    await actOnce();
    if (n % ACTS_BETWEEN_LOOKS > 0) continue;
    await server.writeServices.outbox.idle();
    for (const who of PEOPLE) {
      const { badge, edges } = await look(who);
      const seen = edges.map(({ node: { kind, tweet, actorCount, actors } }) =>
        JSON.stringify([
          kind,
          tweet?.tweetId ?? null,
          actorCount,
          actors.nodes.map(({ userId }) => userId).sort(),
        ]),
      );
      expect([seed, n, who, seen.sort()]).toEqual([seed, n, who, world.of(who)]);
      const group = pick(edges.filter(({ node }) => node.actors.nodes.length > 1));
      if (group) {
        const all = group.node.actors.nodes.map(({ userId }) => userId);
        expect([seed, n, await walkActors(who, group, random)]).toEqual([seed, n, all]);
      }
      const unseen = edges.filter(({ node }) => !node.isSeen).length;
      expect([seed, n, who, badge]).toEqual([
        seed,
        n,
        who,
        { count: Math.min(unseen, 99), isCapped: unseen > 99 },
      ]);
    }
  }
});

/** The statements that a query of the viewer takes, without those that find out who asks. */
async function statementsOf(selection: string): Promise<string[]> {
  const { reads, errors } = await server.query(`{ viewer { ${selection} } }`, {}, '8');
  expect(errors).toEqual([]);
  const others = reads.filter(({ fields, statement }) =>
    statement === 'users.get' ? fields.some((field) => field.startsWith('NotificationActor')) : true,
  );
  return others.map(({ statement }) => statement).sort();
}

test('a page with actors takes four statements, a badge three, with what is hidden from the user', async () => {
  await server.store(['8', '9'].map((id) => person(id, `user${id}`)));
  const { id } = await post(server, '8', { content: 'to be liked' });
  await act(server, '9', 'likeTweet', { id });
  await act(server, '9', 'followUser', { id: encodeNodeId('User', '8') });
  await server.writeServices.outbox.idle();
  const page =
    'notifications(first: 25) { nodes { kind isSeen listedAt actorCount actors(first: 3) { nodes { username } } tweet { content } } }';
  expect(await statementsOf(page)).toEqual([
    'hidden_by_user.page',
    'notifications_by_user.page',
    'tweets.get',
    'users.get',
  ]);
  expect(await statementsOf('unreadNotifications { count isCapped }')).toEqual([
    'hidden_by_user.page',
    'notifications_by_user.page',
    'tweets.get',
  ]);
});

const MINUTE = 60_000;

/** What tells the user 1 of likes of a tweet, so many hours after 20 hours ago, and who is a member of a group of them. */
function likesOf(subjectId: string) {
  const notified = { userId: '1', kind: NotificationKind.LIKE as const, subjectId, rootId: null };
  const begun = Date.now() - 20 * 60 * MINUTE;
  const at = (hours: number) => new Date(begun + hours * 60 * MINUTE);
  const notify = (actorId: string, since: number, changed = since, present = true) =>
    notifyOfAct(
      server.writeServices,
      notified,
      { actorId, present, since: at(since), changedAt: at(changed) },
      { isRepeated: false },
    );
  const members = async (number: number) => {
    const rows = await server.database.run(
      'SELECT section, CAST(actor_id AS text) AS actor FROM notification_groups WHERE group_id = ?',
      [groupId(notified, number)],
    );
    return rows.filter(({ section }) => section === 1).map(({ actor }) => String(actor));
  };
  return { notify, members };
}

test('who does an act again after 12 hours is told anew, also if nobody else has done it meanwhile', async () => {
  const { notify, members } = likesOf('776');
  await notify('2', 0);
  await notify('2', 0, 1, false);
  await notify('2', 11);
  expect([await members(0), await members(1)]).toEqual([['2'], []]);
  await notify('2', 11, 11.5, false);
  await notify('2', 13);
  expect([await members(0), await members(1)]).toEqual([[], ['2']]);
  // Taken back and done again before a server could tell either.
  await notify('3', 13.1);
  await notify('3', 26);
  expect([await members(1), await members(2)]).toEqual([['2'], ['3']]);
});

test('a group takes members for 12 hours from its first, and who comes back then is in the next one only', async () => {
  const { notify, members } = likesOf('777');
  await notify('2', 0);
  await notify('3', 11.9);
  await notify('4', 12);
  // A change that comes late, or twice, changes nothing.
  await notify('2', 0, 1, false);
  await notify('2', 0);
  expect([await members(0), await members(1)]).toEqual([['3'], ['4']]);
  await notify('3', 13);
  await notify('2', 14);
  expect([await members(0), await members(1)]).toEqual([[], ['2', '3', '4']]);
  await notify('3', 13, 15, false);
  expect(await members(1)).toEqual(['2', '4']);
});

test('of 200 servers, each changes a group once in two seconds: acts that come meanwhile share the change', async () => {
  const notified = { userId: '1', kind: NotificationKind.LIKE as const, subjectId: '888', rootId: null };
  const worker = { ...server.writeServices.worker, helpers: () => 199 };
  const notify = (actorId: string) => {
    const now = new Date();
    const act = { actorId, present: true, since: now, changedAt: now };
    return notifyOfAct({ ...server.writeServices, worker }, notified, act, { isRepeated: false });
  };
  await notify('2');
  await Promise.all(
    ['3', '4', '5'].map(async (actorId, n) => {
      await sleep(100 * n);
      await notify(actorId);
    }),
  );
  const rows = await server.database.run(
    'SELECT version, member_count FROM notification_groups WHERE group_id = ? AND section = 0 AND at = 0 AND actor_id = -1',
    [groupId(notified, 0)],
  );
  expect(rows).toMatchObject([{ version: 2, member_count: 4 }]);
});
