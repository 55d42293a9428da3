import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeNodeId } from '../src/kit/relay/node';
import { authorization, person, startHarness, tweet, type Harness } from './harness';
import { act, codesOf, send } from './mutations';

/** Reads two partitions, of the name and of its user, and at most three. */
const QUERY = '{ user(username: "ada") { username } }';

let server: Harness;
let waiting = 0;
beforeAll(async () => {
  const settings = {
    SHED_WAITING_REQUESTS: '10',
    RATE_POINTS_PER_MINUTE: '7',
    RATE_MUTATIONS_PER_MINUTE: '4',
    RATE_PAIR_PER_HOUR: '2',
  };
  server = await startHarness(settings, undefined, { waitingRequests: () => waiting });
  await server.store([
    ...['ada', 'bo', 'cy', 'di', 'eve', 'flo', 'gus'].map((name, n) => person(String(n + 1), name)),
    tweet('100', '1'),
    tweet('101', '1'),
  ]);
});
afterAll(() => server.close());

/** Asks over HTTP from an address, as nobody unless somebody is named. */
async function ask(
  from: string,
  { who, query = QUERY, headers = {}, of = server }: Partial<Asked> = {},
): Promise<Told> {
  const answer = await of.inject({
    method: 'POST',
    url: '/graphql',
    remoteAddress: from,
    headers: {
      'content-type': 'application/json',
      ...(who !== undefined && { authorization: await authorization(who) }),
      ...headers,
    },
    payload: JSON.stringify({ query }),
  });
  const { errors = [] } = JSON.parse(answer.body) as Partial<Told>;
  return { status: answer.statusCode, headers: answer.headers, errors };
}

interface Asked {
  readonly who: string;
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly of: Harness;
}

interface Told {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly errors: readonly {
    readonly extensions: { readonly code: string; readonly retryAfter?: number };
  }[];
}

/** How often something was refused for a reason, as its metrics tell. */
async function refusalsOf(of: Harness, reason: string): Promise<number> {
  const { body } = await of.get('/metrics');
  const line = new RegExp(`^murmuration_graphql_refused_total\\{reason="${reason}"\\} (\\d+)$`, 'm');
  return Number(line.exec(body)?.[1]);
}

/** Asks again and again until the status is one; throws where that takes too long. */
async function untilStatus(of: Harness, status: number, before = () => sleep(100)): Promise<Told> {
  for (const until = Date.now() + 30_000; Date.now() < until;) {
    await before();
    const told = await ask('192.0.2.200', { who: 'service', of });
    if (told.status === status) return told;
  }
  throw new Error(`The status must become ${status}, but does not.`);
}

const shed = {
  status: 503,
  headers: expect.objectContaining({ 'retry-after': '2' }) as unknown,
  errors: [expect.objectContaining({ extensions: { code: 'UNAVAILABLE', retryAfter: 2 } })],
};

describe('a server that has too much to do', () => {
  test('refuses GraphQL while many reads wait, also to services, and answers those who look after it', async () => {
    waiting = 11;
    try {
      expect(await ask('192.0.2.1')).toMatchObject(shed);
      expect(await ask('192.0.2.1', { who: 'service' })).toMatchObject(shed);
      for (const url of ['/health/live', '/health/ready', '/metrics', '/model'])
        expect([url, (await server.get(url)).status]).toEqual([url, 200]);
      expect(await refusalsOf(server, 'waiting_requests')).toBe(2);
    } finally {
      waiting = 0;
    }
    expect(await ask('192.0.2.1')).toMatchObject({ status: 200, errors: [] });
  });

  test('refuses while its heap is nearly full', async () => {
    const full = await startHarness({ SHED_HEAP_BYTES: '1' }, server);
    expect(await untilStatus(full, 503)).toMatchObject(shed);
    expect((await full.get('/health/live')).status).toBe(200);
    expect(await refusalsOf(full, 'heap')).toBeGreaterThan(0);
    await full.close();
  });

  test('refuses while bodies and answers fill its memory', async () => {
    const full = await startHarness({ SHED_BUFFER_BYTES: '1' }, server);
    expect(await untilStatus(full, 503)).toMatchObject(shed);
    expect(await refusalsOf(full, 'buffers')).toBeGreaterThan(0);
    await full.close();
  });

  test('refuses while its event loop is blocked again and again, and no longer', async () => {
    const blocked = await startHarness({ SHED_EVENT_LOOP_MS: '40' }, server);
    const block = async () => {
      for (const until = performance.now() + 150; performance.now() < until;);
      await sleep(1);
    };
    expect(await untilStatus(blocked, 503, block)).toMatchObject(shed);
    expect(await refusalsOf(blocked, 'event_loop_delay')).toBeGreaterThan(0);
    expect(await untilStatus(blocked, 200)).toMatchObject({ errors: [] });
    await blocked.close();
  });

  test('refuses nothing where the limits are off', async () => {
    const off = await startHarness({ SHED_WAITING_REQUESTS: '0' }, server, { waitingRequests: () => 1e9 });
    expect(await ask('192.0.2.1', { of: off })).toMatchObject({ status: 200, errors: [] });
    await off.close();
  });
});

describe('a caller who asks for too much', () => {
  const limited = { status: 429, errors: [{ extensions: { code: 'RATE_LIMITED' } }] };

  test('is told what is left with each answer, then refused, and told when to come back', async () => {
    for (const left of [5, 3, 1])
      expect(await ask('192.0.2.10')).toMatchObject({
        status: 200,
        errors: [],
        headers: {
          ratelimit: expect.stringMatching(`^"points";r=${left};t=\\d+$`) as unknown,
          'ratelimit-policy': '"points";q=7;w=60',
        },
      });
    const before = await refusalsOf(server, 'points');
    const { headers, ...refused } = await ask('192.0.2.10');
    expect(refused).toMatchObject(limited);
    const seconds = refused.errors[0]?.extensions.retryAfter;
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(20);
    expect(headers).toMatchObject({
      'retry-after': String(seconds),
      ratelimit: expect.stringContaining('"points";r=0;t=') as unknown,
    });
    expect(await refusalsOf(server, 'points')).toBe(before + 1);
  });

  test('is told apart by its token, whatever its address, and by its address without one', async () => {
    for (let n = 0; n < 3; n++)
      expect(await ask(`192.0.2.${20 + n}`, { who: '1' })).toMatchObject({ status: 200 });
    expect(await ask('192.0.2.29', { who: '1' })).toMatchObject(limited);
    expect(await ask('192.0.2.29', { who: '2' })).toMatchObject({ status: 200 });
    expect(await ask('192.0.2.29')).toMatchObject({ status: 200 });
  });

  test('has one limit for all addresses of an IPv6 network', async () => {
    for (let n = 0; n < 3; n++) expect(await ask(`2001:db8::${n}`)).toMatchObject({ status: 200 });
    expect(await ask('2001:db8::ffff')).toMatchObject(limited);
    expect(await ask('2001:db8:0:1::1')).toMatchObject({ status: 200 });
  });

  test('may be a service, which has no limit', async () => {
    for (let n = 0; n < 10; n++) {
      const { status, headers } = await ask('192.0.2.30', { who: 'service' });
      expect([status, headers['ratelimit']]).toEqual([200, undefined]);
    }
  });

  test.each([
    ['that is not well formed', { query: '{' }, 400],
    ['that asks for what is not there', { query: '{ nothing }' }, 400],
    ['with a token that is not good', { who: 'Bearer a.b.c' }, 401],
  ])('pays for a request %s, too', async (_, request, status) => {
    const from = `192.0.2.${100 + _.length}`;
    for (let n = 0; n < 7; n++) expect(await ask(from, request)).toMatchObject({ status });
    expect(await ask(from, request)).toMatchObject(limited);
  });

  test('has no more requests at once than it may, whatever others have, and room again when one is answered', async () => {
    const narrow = await startHarness({ RATE_REQUESTS_AT_ONCE: '2' }, server);
    const asked = await Promise.all(Array.from({ length: 5 }, () => ask('192.0.2.70', { of: narrow })));
    expect(asked.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429, 429]);
    expect(asked.find(({ status }) => status === 429)).toMatchObject({
      headers: { 'retry-after': '1' },
      errors: [{ extensions: { code: 'RATE_LIMITED', retryAfter: 1 } }],
    });
    const others = ['192.0.2.71', '192.0.2.72', '192.0.2.73'];
    for (const { status } of await Promise.all(others.map((from) => ask(from, { of: narrow }))))
      expect(status).toBe(200);
    const services = Array.from({ length: 5 }, () => ask('192.0.2.70', { of: narrow, who: 'service' }));
    for (const { status } of await Promise.all(services)) expect(status).toBe(200);
    expect((await ask('192.0.2.70', { of: narrow })).status).toBe(200);
    expect(await refusalsOf(narrow, 'requests')).toBe(3);
    await narrow.close();
  });

  test('cannot take all connections of a server', async () => {
    const narrow = await startHarness({}, server);
    const { port } = new URL(await narrow.listen());
    let refused = 0;
    const sockets: Socket[] = [];
    // As many at a time as wait to be accepted.
    for (let batches = 0; batches < 10; batches++) {
      const batch = Array.from({ length: 201 }, () => connect(Number(port), '127.0.0.1').resume());
      for (const socket of batch) socket.on('error', () => undefined).once('close', () => refused++);
      await Promise.all(
        batch.map((socket) => Promise.race([once(socket, 'connect'), once(socket, 'close')])),
      );
      sockets.push(...batch);
    }
    for (const until = Date.now() + 10_000; refused < 10 && Date.now() < until;) await sleep(20);
    expect(refused).toBe(10);
    for (const socket of sockets) socket.destroy();
    await narrow.close();
  });

  test('cannot make up an address, unless a proxy is trusted to tell it', async () => {
    const forwarded = (n: number) => ({ headers: { 'x-forwarded-for': `198.51.100.${n}` } });
    for (let n = 0; n < 3; n++) expect(await ask('192.0.2.40', forwarded(n))).toMatchObject({ status: 200 });
    expect(await ask('192.0.2.40', forwarded(3))).toMatchObject(limited);
    const behind = await startHarness({ RATE_POINTS_PER_MINUTE: '7', TRUST_PROXY: '192.0.2.40' }, server);
    const by = (from: string, n: number) => ask(from, { ...forwarded(n), of: behind });
    for (let n = 0; n < 4; n++) expect(await by('192.0.2.40', n)).toMatchObject({ status: 200 });
    for (let n = 0; n < 2; n++) expect(await by('192.0.2.40', 0)).toMatchObject({ status: 200 });
    expect(await by('192.0.2.40', 0)).toMatchObject(limited);
    for (let n = 0; n < 3; n++) expect(await by('192.0.2.41', n)).toMatchObject({ status: 200 });
    expect(await by('192.0.2.41', 3)).toMatchObject(limited);
    await behind.close();
  });
});

describe('a user who acts too often', () => {
  let acting: Harness;
  beforeAll(async () => {
    acting = await startHarness({ RATE_MUTATIONS_PER_MINUTE: '4', RATE_PAIR_PER_HOUR: '2' }, server);
  });
  afterAll(() => acting.close());

  const user = (userId: string) => ({ id: encodeNodeId('User', userId) });
  const follows = async (who: string, username: string) => {
    const { data } = await acting.query(`{ user(username: "${username}") { viewerIsFollowing } }`, {}, who);
    return (data as { user: { viewerIsFollowing: boolean } }).user.viewerIsFollowing;
  };

  test('is refused before anything is written; each alias counts', async () => {
    const followed = (name: string, userId: string) =>
      `${name}: followUser(id: "${user(userId).id}") { followee { id } }`;
    const aliases = `mutation { ${followed('a', '4')} ${followed('b', '5')} ${followed('c', '6')} }`;
    await act(acting, '3', 'followUser', user('1'));
    await act(acting, '3', 'followUser', user('2'));
    const { status, errors } = await acting.query(aliases, {}, '3');
    expect([status, errors]).toMatchObject([429, [{ extensions: { code: 'RATE_LIMITED' } }]]);
    expect(await follows('3', 'di')).toBe(false);
    await act(acting, '3', 'followUser', user('4'));
    expect(await refusalsOf(acting, 'mutations')).toBe(1);
  });

  test.each([
    ['follows and unfollows one user', 'followUser', 'unfollowUser', user('1'), user('2')],
    ['likes and unlikes one tweet', 'likeTweet', 'unlikeTweet', { id: encodeNodeId('Tweet', '100') }, null],
    [
      'shares and unshares one tweet',
      'shareTweet',
      'unshareTweet',
      { id: encodeNodeId('Tweet', '100') },
      null,
    ],
  ] as const)('and %s is refused, another target or user is not', async (_, one, other, target, another) => {
    const toggling = await startHarness({ RATE_PAIR_PER_HOUR: '2' }, server);
    await act(toggling, '5', one, target);
    // What changes nothing is free: a client that did not hear the answer may ask again.
    for (let n = 0; n < 5; n++) await act(toggling, '5', one, target);
    await act(toggling, '5', other, target);
    for (const name of [one, other]) {
      const { status, errors, data } = await send(toggling, '5', name, target);
      expect({ status, data, errors }).toMatchObject({
        status: 429,
        data: null,
        errors: [
          { path: [name], extensions: { code: 'RATE_LIMITED', retryAfter: expect.any(Number) as number } },
        ],
      });
    }
    expect(await codesOf(toggling, '6', one, target)).toEqual([]);
    if (another) expect(await codesOf(toggling, '5', one, another)).toEqual([]);
    expect(await refusalsOf(toggling, 'pair')).toBe(2);
    await toggling.close();
  });

  test('and deletes replies to one tweet again and again is refused, replies to others are not', async () => {
    const toggling = await startHarness({ RATE_PAIR_PER_HOUR: '2' }, server);
    const reply = async (to: string) => {
      const input = { content: 'A reply', inReplyTo: encodeNodeId('Tweet', to) };
      const { tweet: posted } = (await act(toggling, '5', 'createTweet', { input })) as {
        tweet: { id: string };
      };
      return { id: posted.id };
    };
    for (let n = 0; n < 2; n++) await act(toggling, '5', 'deleteTweet', await reply('100'));
    const last = await reply('100');
    expect(await codesOf(toggling, '5', 'deleteTweet', last)).toEqual(['RATE_LIMITED']);
    expect(await codesOf(toggling, '5', 'deleteTweet', await reply('101'))).toEqual([]);
    await toggling.close();
  });
});
