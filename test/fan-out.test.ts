import fc from 'fast-check';
import { encodeNodeId } from '../src/kit/relay/node';
import { modeOf } from '../src/write/timeline/fan-out-mode';
import { person, startHarness, type Harness } from './harness';
import { act, ask, codesOf, post } from './mutations';

// Servers over one keyspace, each with people of its own; where tweets are pushed, who follows two has more in parts.
const LIMITS = [0, 3, 10_000];
const PEOPLE = 5;
const everyone = Array.from({ length: PEOPLE }, (_, n) => n);

let servers: Harness[];
beforeAll(async () => {
  const first = await startHarness({ FANOUT_PUSH_LIMIT: String(LIMITS[0]) });
  const others = LIMITS.slice(1).map((limit) =>
    startHarness({ FANOUT_PUSH_LIMIT: String(limit) }, first, { maxUnshardedFollowing: 2 }),
  );
  servers = [first, ...(await Promise.all(others))];
});
afterAll(async () => {
  for (const server of [...servers].reverse()) await server.close();
});

/** Something that somebody does; what it is done to is the nth of what is there. */
interface Deed {
  readonly kind: 'follow' | 'unfollow' | 'tweet' | 'reply' | 'share' | 'unshare' | 'delete';
  readonly who: number;
  readonly to: number;
}

/** A tweet, reply or share as everybody should see it. */
interface Item {
  readonly author: number;
  readonly content: string;
  readonly original: Item | null;
  isDeleted: boolean;
}

/** What the acts mean: everything that is shown is computed from this. */
interface Model {
  readonly follows: Set<string>;
  readonly items: Item[];
}

const isShown = ({ isDeleted, original }: Item) => !isDeleted && original?.isDeleted !== true;
const shown = ({ items }: Model, isWanted: (item: Item) => boolean) =>
  items
    .filter((item) => isShown(item) && isWanted(item))
    .map(({ author, content }) => `${author} ${content}`)
    .reverse();
const timelineIn = (model: Model, reader: number) =>
  shown(model, ({ author }) => model.follows.has(`${reader} ${author}`));
const tweetsIn = (model: Model, author: number) => shown(model, (item) => item.author === author);

/** A server with the people of one story. */
interface Stage {
  readonly server: Harness;
  readonly userId: (n: number) => string;
  readonly username: (n: number) => string;
  /** The ids of what was posted, by content; a share's content is its original's. */
  readonly ids: Map<string, string>;
}

let stories = 0;
async function setStages(): Promise<Stage[]> {
  stories++;
  return Promise.all(
    servers.map(async (server, place) => {
      const userId = (n: number) => String(1_000_000 * (place + 1) + stories * PEOPLE + n);
      const username = (n: number) => `user${userId(n)}`;
      await server.store(everyone.map((n) => person(userId(n), username(n))));
      return { server, userId, username, ids: new Map<string, string>() };
    }),
  );
}

/** A list of somebody's, walked in small pages. */
async function walk(
  { server, username }: Stage,
  list: 'timeline' | 'tweets',
  owner: number,
  backwards: boolean,
  size: number,
): Promise<string[]> {
  const joined: string[] = [];
  for (let cursor = ''; ;) {
    const page = `${backwards ? 'last' : 'first'}: ${size}${cursor}`;
    const data = await ask(
      server,
      `{ user(username: "${username(owner)}") { list: ${list}(${page}) { nodes { content author { username } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`,
    );
    const { nodes, pageInfo } = (data as { user: { list: Page } }).user.list;
    const texts = nodes.map(
      ({ content, author }) => `${everyone.findIndex((n) => username(n) === author.username)} ${content}`,
    );
    if (backwards) joined.unshift(...texts);
    else joined.push(...texts);
    if (!(backwards ? pageInfo.hasPreviousPage : pageInfo.hasNextPage)) return joined;
    cursor = backwards ? `, before: "${pageInfo.startCursor}"` : `, after: "${pageInfo.endCursor}"`;
  }
}

interface Page {
  readonly nodes: readonly { content: string; author: { username: string } }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string;
    readonly endCursor: string;
  };
}

/** What a deed is to the model and to a server; null when there is nothing that it can be done to. */
function deedIn(
  model: Model,
  { kind, who, to }: Deed,
): { readonly on: (stage: Stage) => Promise<unknown>; readonly change: () => void } | null {
  const other = (who + 1 + (to % (PEOPLE - 1))) % PEOPLE;
  const relation = `${who} ${other}`;
  const nth = (items: readonly Item[]) => (items.length === 0 ? null : (items[to % items.length] ?? null));
  const content = `${kind} ${model.items.length}`;
  const item = (original: Item | null) => ({
    author: who,
    content: original?.content ?? content,
    original,
    isDeleted: false,
  });
  const idOf = ({ ids }: Stage, { content: text }: Item) => ids.get(text) ?? '';
  const originals = model.items.filter((one) => isShown(one) && one.original === null);
  const target = nth(originals);
  switch (kind) {
    case 'follow':
    case 'unfollow':
      return {
        on: ({ server, userId }) =>
          act(server, userId(who), `${kind}User`, { id: encodeNodeId('User', userId(other)) }),
        change: () => (kind === 'follow' ? model.follows.add(relation) : model.follows.delete(relation)),
      };
    case 'tweet':
    case 'reply':
      if (kind === 'reply' && target === null) return null;
      return {
        async on(stage) {
          const inReplyTo = kind === 'reply' && target ? idOf(stage, target) : null;
          stage.ids.set(content, (await post(stage.server, stage.userId(who), { content, inReplyTo })).id);
        },
        change: () => model.items.push(item(null)),
      };
    case 'share':
    case 'unshare': {
      if (target === null) return null;
      const share = model.items.find((one) => isShown(one) && one.original === target && one.author === who);
      return {
        on: (stage) => act(stage.server, stage.userId(who), `${kind}Tweet`, { id: idOf(stage, target) }),
        change() {
          if (kind === 'share' && !share) model.items.push(item(target));
          if (kind === 'unshare' && share) share.isDeleted = true;
        },
      };
    }
    case 'delete': {
      const own = nth(originals.filter(({ author }) => author === who));
      if (own === null) return null;
      return {
        on: (stage) => act(stage.server, stage.userId(who), 'deleteTweet', { id: idOf(stage, own) }),
        change: () => (own.isDeleted = true),
      };
    }
  }
}

/** What must be so at the next read, whatever is still under way. */
async function checkAtOnce(stage: Stage, model: Model, { kind, who, to }: Deed): Promise<void> {
  expect(await walk(stage, 'tweets', who, false, 4)).toEqual(tweetsIn(model, who));
  const other = (who + 1 + (to % (PEOPLE - 1))) % PEOPLE;
  const timelines = await Promise.all(
    everyone.map(async (reader) => ({ reader, now: await walk(stage, 'timeline', reader, false, 100) })),
  );
  for (const { reader, now } of timelines) {
    const due = timelineIn(model, reader);
    // A tweet may still be on its way; what is deleted or of somebody not followed never is.
    expect(now.filter((text) => !due.includes(text))).toEqual([]);
    const ofFollowed = (text: string) => text.startsWith(`${other} `);
    if (kind === 'follow' && reader === who) expect(now.filter(ofFollowed)).toEqual(due.filter(ofFollowed));
  }
}

async function idle(): Promise<void> {
  await Promise.all(servers.map(({ writeContext }) => writeContext.outbox.idle()));
}

async function checkAll(stages: readonly Stage[], model: Model, size: number): Promise<void> {
  for (const stage of stages) {
    for (const n of everyone) {
      const due = timelineIn(model, n);
      expect(await walk(stage, 'timeline', n, false, size)).toEqual(due);
      expect(await walk(stage, 'timeline', n, true, size)).toEqual(due);
    }
    const counts = 'tweetCount followerCount followingCount';
    const asked = everyone.map((n) => `u${n}: user(username: "${stage.username(n)}") { ${counts} }`);
    const related = (isOne: (from: number, to: number) => boolean) =>
      [...model.follows].filter((pair) => {
        const [from = '', to = ''] = pair.split(' ');
        return isOne(Number(from), Number(to));
      }).length;
    expect(await ask(stage.server, `{ ${asked.join(' ')} }`)).toEqual(
      Object.fromEntries(
        everyone.map((n) => [
          `u${n}`,
          {
            tweetCount: tweetsIn(model, n).length,
            followerCount: related((_, to) => to === n),
            followingCount: related((from) => from === n),
          },
        ]),
      ),
    );
  }
}

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
  expect((await servers[0]?.writeContext.outbox.pending()) ?? []).toEqual([]);
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
    { numRuns: 4, endOnFailure: true },
  );
}, 180_000);

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
    return (await modeOf(middle.server.writeContext, middle.userId(0))).mode;
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
    await server.writeContext.outbox.idle();
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
    return (await modeOf(server.writeContext, author)).mode;
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
}, 120_000);

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
}, 120_000);

test('unfollowing and deleting are seen at the next read, before what is behind them is done', async () => {
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
    const { user, sharer: of } = data as Record<'user' | 'sharer', Record<string, Pick<Page, 'nodes'>>>;
    return [user['timeline'], of['tweets']].map((list) => list?.nodes.map(({ content }) => content));
  };
  expect(await lists()).toEqual([['to delete', 'to hide', 'to delete'], ['to delete']]);
  await act(server, reader, 'unfollowUser', { id: encodeNodeId('User', author) });
  expect(await lists()).toEqual([['to delete'], ['to delete']]);
  await act(server, author, 'deleteTweet', { id });
  expect(await lists()).toEqual([[], []]);
  expect((await server.writeContext.outbox.pending()).length).toBeGreaterThan(1);
  await server.close();
}, 120_000);

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
    if (n === 2) await server.writeContext.outbox.idle();
    await act(server, userId(1), 'shareTweet', { id });
  }
});
