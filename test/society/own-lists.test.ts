import { HIDDEN, hiddenByUser } from '../../src/features/hidden/hidden.table';
import { MuteScope } from '../../src/features/hidden/hidden.enums';
import { removalOf, writeOf } from '../../src/kit/cassandra/write';
import { createLoad } from '../../src/kit/reads/load';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { authorization, person, startHarness, type Harness } from '../support/harness';
import { isLong } from '../support/long';
import { act, post } from '../support/mutations';
import { createDrawing } from './random';

/** How many acts are tried (`ACTS` of the long form), each followed by a page. */
const ACTS = isLong ? Number(process.env['ACTS'] ?? 10_000) : 120;
const [OWNER, OTHER, FAN, QUIET] = ['1', '2', '3', '4'];
const PEOPLE = Array.from({ length: 60 }, (_, n) => String(100 + n));
/** Whom rows name, but who are in no other table, as when a user was removed a moment ago. */
const GONE = Array.from({ length: 10 }, (_, n) => String(900 + n));
/** Few, so that many rows have one moment in common. */
const MOMENTS = Array.from({ length: 12 }, (_, n) => new Date(Date.UTC(2026, 0, 1, 0, 0, n)));

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([OWNER, OTHER, FAN, QUIET, ...PEOPLE].map((id) => person(id, `user${id}`)));
});

interface Entry {
  readonly userId: string;
  readonly at: Date;
  readonly until: Date | null;
  readonly scope: readonly string[] | null;
}

/** A list of users that is shown to its user alone. */
interface OwnList {
  readonly field: string;
  readonly kind: string;
  readonly fields: string;
  readonly begin: (userId: string, extent: Pick<Entry, 'until' | 'scope'>) => Promise<unknown>;
  readonly end: (userId: string) => Promise<unknown>;
}

const idOf = (userId: string) => ({ id: encodeNodeId('User', userId) });
const lists: readonly OwnList[] = [
  {
    ...{ field: 'blockedUsers', kind: HIDDEN.block, fields: 'at: blockedAt' },
    begin: (userId) => act(server, OWNER, 'blockUser', idOf(userId)),
    end: (userId) => act(server, OWNER, 'unblockUser', idOf(userId)),
  },
  {
    ...{ field: 'mutedUsers', kind: HIDDEN.mute, fields: 'at: mutedAt until scope' },
    begin: (userId, extent) => act(server, OWNER, 'muteUser', { ...idOf(userId), ...extent }),
    end: (userId) => act(server, OWNER, 'unmuteUser', idOf(userId)),
  },
];

interface Page {
  readonly edges: readonly {
    readonly cursor: string;
    readonly node: { readonly userId: string };
    readonly at: string;
    readonly until?: string | null;
    readonly scope?: readonly string[];
  }[];
  readonly nodes: readonly { readonly userId: string }[];
  readonly pageInfo: Readonly<Record<'hasNextPage' | 'hasPreviousPage', boolean>> &
    Readonly<Record<'startCursor' | 'endCursor', string | null>>;
}

async function pageOf({ field, fields }: OwnList, first: number, after: string | null): Promise<Page> {
  const query = `query ($first: Int, $after: String) { viewer { list: ${field}(first: $first, after: $after) {
    edges { cursor node { userId } ${fields} } nodes { userId } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`;
  const { data, errors } = await server.query(query, { first, after }, OWNER);
  expect(errors).toEqual([]);
  return (data as { viewer: { list: Page } }).viewer.list;
}

/** Newest first, then by id descending. */
const isBefore = (one: Entry, other: Entry) =>
  Number(one.at) === Number(other.at)
    ? BigInt(one.userId) > BigInt(other.userId)
    : Number(one.at) > Number(other.at);

/** What a list has, in memory, and how it is changed. */
function openModel(list: OwnList, { random, pick }: ReturnType<typeof createDrawing>) {
  const entries = new Map<string, Entry>();
  const run = (write: ReturnType<typeof writeOf>) => server.database.write(write.query, write.params);
  const keyOf = (userId: string) => ({ viewerId: OWNER, kind: list.kind, targetId: userId });
  const begin = async (userId: string) => {
    const until = random(3) === 0 ? new Date(Date.now() + 3_600_000) : null;
    const scope = random(2) === 0 ? null : [pick(Object.values(MuteScope))];
    await list.begin(userId, { until, scope });
    const row = await createLoad(server.database)(hiddenByUser.get, keyOf(userId));
    entries.set(userId, { userId, at: row?.hiddenAt ?? new Date(0), until, scope });
  };
  /** A row as it may have been written at any moment; some have ended by now. */
  const put = async (userId: string) => {
    const [at, until] = [pick(MOMENTS), random(4) === 0 ? new Date(0) : null];
    // An earlier row may have an end.
    await run(removalOf(hiddenByUser, keyOf(userId)));
    await run(writeOf(hiddenByUser, { ...keyOf(userId), hiddenAt: at, ...(until && { until }) }));
    entries.set(userId, { userId, at, until: list.kind === HIDDEN.mute ? until : null, scope: null });
  };
  return {
    /** What is shown, in its order. */
    shown: () =>
      [...entries.values()]
        .filter(({ userId, until }) => !GONE.includes(userId) && (until === null || Number(until) > 0))
        .sort((a, b) => (isBefore(a, b) ? -1 : 1)),
    async change() {
      // Half of the rows come and go by the API, the others at the table.
      const isByApi = random(2) === 0;
      const ofKind = PEOPLE.filter((id) => Number(id) % 2 === Number(isByApi));
      const userId = pick(isByApi ? ofKind : [...ofKind, ...GONE]);
      if (random(5) < 3) return isByApi ? begin(userId) : put(userId);
      if (isByApi) await list.end(userId);
      else await run(removalOf(hiddenByUser, keyOf(userId)));
      entries.delete(userId);
    },
  };
}

test.each(lists.map((list) => [list.field, list] as const))(
  'any page of %s after any cursor has what comes next, while rows come and go',
  async (_, list) => {
    const drawing = createDrawing();
    const { seed, random, pickAny } = drawing;
    const model = openModel(list, drawing);
    let cursors: { readonly cursor: string; readonly entry: Entry }[] = [];
    for (let n = 0; n < ACTS; n++) {
      await model.change();
      const from = random(5) === 0 ? undefined : pickAny(cursors.slice(-20));
      const first = random(1, 12);
      const { edges, nodes, pageInfo } = await pageOf(list, first, from?.cursor ?? null);
      const ahead = model.shown().filter((entry) => from === undefined || isBefore(from.entry, entry));
      const wanted = ahead.slice(0, first);
      const told = edges.map(({ node, at, until, scope }) => ({ userId: node.userId, at, until, scope }));
      const isMute = list.kind === HIDDEN.mute;
      expect([seed, n, told]).toEqual([
        ...[seed, n],
        wanted.map(({ userId, at, until, scope }) => ({
          ...{ userId, at: at.toISOString() },
          until: isMute ? (until?.toISOString() ?? null) : undefined,
          scope: isMute ? (scope ?? Object.values(MuteScope)) : undefined,
        })),
      ]);
      expect(nodes).toEqual(edges.map(({ node }) => node));
      const ends = { startCursor: edges[0]?.cursor ?? null, endCursor: edges.at(-1)?.cursor ?? null };
      const around = { ...ends, hasNextPage: ahead.length > first };
      expect([seed, n, pageInfo]).toEqual([seed, n, { ...pageInfo, ...around }]);
      // Going forwards, it need not be known.
      expect([seed, n, pageInfo.hasPreviousPage && from === undefined]).toEqual([seed, n, false]);
      cursors = [
        ...cursors,
        ...edges.flatMap(({ cursor }, index) => {
          const entry = wanted[index];
          return entry === undefined ? [] : [{ cursor, entry }];
        }),
      ].slice(-100);
    }
    expect(model.shown().length).toBeGreaterThan(10);
  },
  isLong ? 1_800_000 : undefined,
);

test('who is blocked and muted is told to their user and services alone, and each list takes its own cursors only', async () => {
  const ask = (who: string | null, page = '') =>
    server.query(
      `{ user(username: "user${OWNER}") { blockedUsers(first: 1${page}) { nodes { userId } } mutedUsers(first: 1${page}) { nodes { userId } pageInfo { endCursor } } } }`,
      {},
      who,
    );
  for (const who of [OTHER, null]) {
    const { data, errors } = await ask(who);
    expect(data).toEqual({ user: { blockedUsers: null, mutedUsers: null } });
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN', 'FORBIDDEN']);
  }
  const { data } = await ask('service');
  const { user } = data as { user: Record<'mutedUsers', Page> };
  const { errors } = await ask(OWNER, `, after: "${user.mutedUsers.pageInfo.endCursor ?? ''}"`);
  expect(errors.map(({ path, extensions }) => [path?.at(-1), extensions.code])).toEqual([
    ['blockedUsers', 'BAD_USER_INPUT'],
  ]);
});

interface Cost {
  readonly bound: number;
  readonly reads: number;
}

test('a notification is found by its id by its own user, who may see it, and costs no more than it reserves', async () => {
  const { id } = await post(server, OWNER, { content: 'to be liked' });
  await act(server, FAN, 'likeTweet', { id });
  await post(server, QUIET, { content: `hello @user${OWNER}` });
  await server.writeServices.outbox.idle();
  const listed = await server.query('{ viewer { notifications { nodes { id text } } } }', {}, OWNER);
  const { nodes } = (listed.data as { viewer: { notifications: { nodes: { id: string; text: string }[] } } })
    .viewer.notifications;
  expect(nodes).toHaveLength(2);
  const [liked, mentioned] = nodes.toSorted((a) => (a.text.includes('likes') ? -1 : 1));
  const query = '{ node(id: "ID") { id ... on Notification { text } } }';
  const found = async (who: string | null, one = liked) => {
    const { data, errors } = await server.query(query.replace('ID', one?.id ?? ''), {}, who);
    expect(errors).toEqual([]);
    return (data as { node: unknown }).node;
  };
  for (const one of nodes) {
    expect(await found(OWNER, one)).toEqual(one);
    for (const who of [OTHER, FAN, QUIET, null, 'service']) expect(await found(who, one)).toBeNull();
  }
  for (const [begin, end] of [
    ['blockUser', 'unblockUser'],
    ['muteUser', 'unmuteUser'],
  ] as const) {
    await act(server, OWNER, begin, idOf(FAN));
    expect(await found(OWNER)).toBeNull();
    await act(server, OWNER, end, idOf(FAN));
    expect(await found(OWNER)).toEqual(liked);
  }
  const both = nodes.map((one, n) => `n${n}: node(id: "${one.id}") { id }`).join(' ');
  const costOf = async (explain: string) => {
    const { body } = await server.inject({
      ...{ method: 'POST', url: '/graphql' },
      headers: {
        ...{ 'content-type': 'application/json', 'x-explain': explain },
        authorization: await authorization(OWNER),
      },
      payload: JSON.stringify({ query: `{ ${both} }` }),
    });
    return (JSON.parse(body) as { extensions: { cost: Cost } }).extensions.cost;
  };
  const [before, after] = [await costOf('only'), await costOf('true')];
  expect(after.bound).toBeGreaterThan(before.bound);
  expect(after.reads).toBeGreaterThan(0);
  expect(after.reads).toBeLessThanOrEqual(after.bound);
  await act(server, FAN, 'unlikeTweet', { id });
  await server.writeServices.outbox.idle();
  expect(await found(OWNER)).toBeNull();
  expect(await found(OWNER, mentioned)).toEqual(mentioned);
  const unknown = encodeNodeId('Notification', '77');
  expect(await found(OWNER, { id: unknown, text: '' })).toBeNull();
});
