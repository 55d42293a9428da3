import type { Database, Write } from '../src/kit/cassandra/database';
import { ClientError } from '../src/kit/base/errors';
import { createLoad } from '../src/kit/data/load';
import { signUp as signUpAs, updateProfile } from '../src/write/user/sign-up';
import { CreateUserInput, UpdateUserInput } from '../src/write/user/user.input';
import { users } from '../src/user/user.table';
import { signToken } from '../src/viewer/token';
import { createViewer } from '../src/viewer/viewer';
import { follow, JWT_SECRET, person, startHarness, type Harness } from './harness';
import { act, ask, codesOf, post, put, send, type Person } from './mutations';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  // The follower is known by number only.
  await server.store([person('1', 'ada'), follow('77', '1')]);
});
afterAll(() => server.close());

/** Signs up as an identity; the codes of what went wrong. */
const signUp = (identity: string, username: string, more: object = {}) =>
  codesOf(server, identity, 'createUser', { input: { username, name: 'A name', ...more } });
const found = async (username: string) =>
  ((await ask(server, `{ user(username: "${username}") { userId username } }`)) as { user: Person | null })
    .user;

describe('an identity that signs up', () => {
  const input = { username: 'First_1', name: 'The first', description: 'Hello', twitterAccount: 'first_t' };

  test('has that user from then on, under its name in any case and its account', async () => {
    const made = await put(server, 'identity 1', 'createUser', input);
    expect(made).toMatchObject(input);
    const fields = '{ userId username name description twitterAccount followerCount tweetCount }';
    const shown = {
      userId: made.userId,
      ...input,
      followerCount: 0,
      tweetCount: 0,
    };
    const everywhere = `{ viewer ${fields} user(username: "fIRST_1") ${fields} userByTwitterAccount(twitterAccount: "FIRST_T") ${fields} }`;
    expect(await ask(server, everywhere, 'identity 1')).toEqual({
      viewer: shown,
      user: shown,
      userByTwitterAccount: shown,
    });
    await act(server, 'identity 1', 'followUser', { id: idOfAda });
    expect(await post(server, 'identity 1', { content: 'mine' })).toMatchObject({
      author: { userId: made.userId },
    });
  });

  test('gets the same user when it asks again with that name in any case', async () => {
    const made = await found('first_1');
    for (const username of ['First_1', 'FIRST_1', 'first_1'])
      expect(await put(server, 'identity 1', 'createUser', { ...input, username })).toMatchObject({
        userId: made?.userId,
        username: 'First_1',
      });
  });

  test('gets no second user', async () => {
    expect(await signUp('identity 1', 'second')).toEqual(['CONFLICT']);
    expect(await found('second')).toBeNull();
    expect(await signUp('identity 2', 'second')).toEqual([]);
  });

  test('gets one user when it asks many times at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        put(server, 'identity 3', 'createUser', { username: 'third', name: 'T' }),
      ),
    );
    expect(new Set(answers.map(({ userId }) => userId)).size).toBe(1);
  });
});

const idOfAda = Buffer.from('User:1').toString('base64url');

test('of a hundred that sign up at once for one name, in any case, one gets it', async () => {
  const NAME = 'wanted_by_all';
  const inCase = (n: number) =>
    NAME.replaceAll(/./g, (letter, place: number) => (n & (1 << place) ? letter.toUpperCase() : letter));
  const answers = await Promise.all(
    Array.from({ length: 100 }, (_, n) =>
      send(server, `racer ${n}`, 'createUser', { input: { username: inCase(n), name: `Racer ${n}` } }),
    ),
  );
  const won = answers.flatMap(({ data, errors }) =>
    errors.length === 0 ? (data as { createUser: { user: Person } }).createUser.user : [],
  );
  expect(won).toHaveLength(1);
  expect(await found(NAME)).toMatchObject({ userId: won[0]?.userId, username: won[0]?.username });
  const lost = answers.filter(({ errors }) => errors.length > 0);
  expect(new Set(lost.flatMap(({ errors }) => errors.map(({ extensions }) => extensions.code)))).toEqual(
    new Set(['CONFLICT']),
  );
});

test('of those that sign up at once for one Twitter account one gets it, and the others may give their names again', async () => {
  const racers = Array.from({ length: 10 }, (_, n) => ({ identity: `owner ${n}`, username: `owner${n}` }));
  const codes = await Promise.all(
    racers.map(({ identity, username }) => signUp(identity, username, { twitterAccount: 'The_Account' })),
  );
  expect(codes.filter((of) => of.length === 0)).toHaveLength(1);
  expect(codes.flat()).toEqual(Array.from({ length: 9 }, () => 'CONFLICT'));
  for (const [n, { identity, username }] of racers.entries()) {
    if (codes[n]?.length === 0) continue;
    expect(await found(username)).toBeNull();
    // Another one takes the name that is free again, and the loser another.
    expect(await signUp(`another ${n}`, username)).toEqual([]);
    expect(await signUp(identity, `${username}b`)).toEqual([]);
    expect(await ask(server, '{ viewer { username } }', identity)).toEqual({
      viewer: { username: `${username}b` },
    });
  }
});

describe('a service', () => {
  test('makes any user, and many of them', async () => {
    const [a, b] = [
      await put(server, 'service', 'createUser', { username: 'made_a', name: 'A' }),
      await put(server, 'service', 'createUser', { username: 'made_b', name: 'B' }),
    ];
    expect(a.userId).not.toBe(b.userId);
    expect(
      await codesOf(server, 'service', 'createUser', { input: { username: 'MADE_A', name: 'A' } }),
    ).toEqual(['CONFLICT']);
  });

  test('gets the same user for the same key, also at once, and a conflict for other content', async () => {
    const input = { username: 'made_once', name: 'Once', idempotencyKey: 'a key' };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => put(server, 'service', 'createUser', input)),
    );
    answers.push(await put(server, 'service', 'createUser', input));
    expect(new Set(answers.map(({ userId }) => userId)).size).toBe(1);
    for (const other of [{ name: 'Other' }, { username: 'other' }, { description: 'Other' }])
      expect(await codesOf(server, 'service', 'createUser', { input: { ...input, ...other } })).toEqual([
        'CONFLICT',
      ]);
    expect(await found('other')).toBeNull();
  });

  test('has keys of its own', async () => {
    const claims = { subject: 'another', scope: 'service', audience: null };
    const another = `Bearer ${await signToken(JWT_SECRET, claims, 1)}`;
    const [a, b] = [
      await put(server, 'service', 'createUser', { username: 'of_one', name: 'A', idempotencyKey: 'own' }),
      await put(server, another, 'createUser', { username: 'of_other', name: 'B', idempotencyKey: 'own' }),
    ];
    expect(a.userId).not.toBe(b.userId);
  });

  test.each([0, 101])('may not give a key of %d characters', async (length) => {
    const idempotencyKey = 'x'.repeat(length);
    const input = { username: 'keyed', name: 'Keyed', idempotencyKey };
    expect(await codesOf(server, 'service', 'createUser', { input })).toEqual(['BAD_USER_INPUT']);
  });
});

test('a number by which somebody is known is taken', async () => {
  expect(await found('77')).toEqual({ userId: '77', username: '77' });
  expect(await signUp('a number', '77')).toEqual(['CONFLICT']);
  expect(await signUp('a number', '78')).toEqual([]);
});

test('an imported name and account are taken', async () => {
  expect(await signUp('late', 'ADA')).toEqual(['CONFLICT']);
  expect(await signUp('late', 'late', { twitterAccount: 'ADA' })).toEqual(['CONFLICT']);
});

test.each(['', ' ', 'a b', 'a-b', '@ada', 'ä', 'a'.repeat(31), 'a\n', '\ud800'])(
  'the username and the account %j are refused',
  async (name) => {
    expect(await signUp('rules', name)).toEqual(['BAD_USER_INPUT']);
    expect(await signUp('rules', 'rules', { twitterAccount: name })).toEqual(['BAD_USER_INPUT']);
  },
);

test.each(['a', '_', '0', 'A_9'.repeat(10)])('the username %j is good', async (name) => {
  expect(await signUp(`good ${name}`, name)).toEqual([]);
  expect(await found(name)).toMatchObject({ username: name });
});

test.each([
  ['an empty name', 'name', ''],
  ['a blank name', 'name', ' \n'],
  ['a name that nobody sees', 'name', '\u200b\u2060'],
  ['a name of 101 letters', 'name', 'x'.repeat(101)],
  ['a name with half a letter', 'name', 'a\ud800'],
  ['a description of 501 letters', 'description', 'x'.repeat(501)],
  ['a description with half a letter', 'description', 'a\udc00'],
])('%s is refused, of a new user and of one that changes', async (_what, field, value) => {
  const input = { [field]: value };
  expect(await signUp('texts', 'texts', input)).toEqual(['BAD_USER_INPUT']);
  expect(await codesOf(server, '1', 'updateUser', { input })).toEqual(['BAD_USER_INPUT']);
});

describe('a user that changes', () => {
  const changed = (input: object) => put(server, 'changer', 'updateUser', { ...input });
  let before: Person;
  beforeAll(async () => {
    before = await put(server, 'changer', 'createUser', {
      username: 'changer',
      name: 'Before',
      description: 'Was',
      twitterAccount: 'changer_t',
    });
  });

  test('keeps what is not given', async () => {
    expect(await changed({})).toEqual(before);
    expect(await changed({ name: 'After' })).toEqual({ ...before, name: 'After' });
    expect(await changed({ description: 'Is' })).toEqual({ ...before, name: 'After', description: 'Is' });
    expect(await changed({ name: null })).toEqual({ ...before, name: 'After', description: 'Is' });
    expect(await ask(server, '{ user(username: "changer") { name description twitterAccount } }')).toEqual({
      user: { name: 'After', description: 'Is', twitterAccount: 'changer_t' },
    });
  });

  test('is found by its new account, no more by the one before, which another may have at once', async () => {
    expect(await changed({ twitterAccount: 'Changer_New' })).toMatchObject({ twitterAccount: 'Changer_New' });
    const byAccount = (account: string) =>
      ask(server, `{ userByTwitterAccount(twitterAccount: "${account}") { username } }`);
    expect(await byAccount('changer_new')).toEqual({ userByTwitterAccount: { username: 'changer' } });
    expect(await byAccount('changer_t')).toEqual({ userByTwitterAccount: null });
    expect(await signUp('heir', 'heir', { twitterAccount: 'CHANGER_T' })).toEqual([]);
    expect(await byAccount('changer_t')).toEqual({ userByTwitterAccount: { username: 'heir' } });
    expect(
      await codesOf(server, 'changer', 'updateUser', { input: { twitterAccount: 'changer_t' } }),
    ).toEqual(['CONFLICT']);
    expect(await byAccount('changer_new')).toEqual({ userByTwitterAccount: { username: 'changer' } });
    expect(await changed({ twitterAccount: 'CHANGER_NEW' })).toMatchObject({ twitterAccount: 'CHANGER_NEW' });
    expect(await byAccount('changer_new')).toEqual({ userByTwitterAccount: { username: 'changer' } });
  });

  test('loses its description and its account by null, and another may have that account at once', async () => {
    expect(await changed({ description: null, twitterAccount: null })).toMatchObject({
      description: null,
      twitterAccount: null,
    });
    expect(await ask(server, '{ userByTwitterAccount(twitterAccount: "changer_new") { username } }')).toEqual(
      {
        userByTwitterAccount: null,
      },
    );
    expect(await codesOf(server, 'heir', 'updateUser', { input: { twitterAccount: 'changer_new' } })).toEqual(
      [],
    );
    expect(await ask(server, '{ userByTwitterAccount(twitterAccount: "changer_new") { username } }')).toEqual(
      {
        userByTwitterAccount: { username: 'heir' },
      },
    );
  });
});

test('a name claimed by a sign-up that was cut off is nobody’s, and another may have it after a minute', async () => {
  const claimed = (name: string, millisecondsAgo: number) =>
    server.database.write(
      'INSERT INTO users_by_username (username_folded, user_id) VALUES (?, ?) USING TIMESTAMP ?',
      [name, '999', String((Date.now() - millisecondsAgo) * 1000)],
    );
  await claimed('cut_off', 120_000);
  await claimed('just_now', 0);
  expect(await found('cut_off')).toBeNull();
  expect(await signUp('after', 'just_now')).toEqual(['CONFLICT']);
  expect(await signUp('after', 'Cut_Off')).toEqual([]);
  expect(await found('cut_off')).toMatchObject({ username: 'Cut_Off' });
});

/** A database that holds up the lightweight transactions that begin so, until it is told to go on. */
function holdUp(at: RegExp) {
  let goOn = () => {};
  const gate = new Promise<void>((resolve) => (goOn = resolve));
  let arrive = () => {};
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const database: Database = {
    ...server.database,
    async compareAndWrite(writes: readonly Pick<Write, 'query' | 'params'>[]) {
      if (writes.some(({ query }) => at.test(query))) {
        arrive();
        await gate;
      }
      return server.database.compareAndWrite(writes);
    },
  };
  return {
    database,
    arrived,
    goOn: () => {
      goOn();
    },
  };
}

/** What went wrong in something: nothing, or the code of its error. */
function codeOf(done: Promise<unknown>): Promise<unknown[]> {
  return done.then(
    () => [],
    (error: unknown) => [error instanceof ClientError ? error.extensions['code'] : error],
  );
}

describe('of two who sign up for one name, of whom one is held up for more than a minute, one gets it', () => {
  /** Signs up as an identity that claimed its names two minutes ago, held up before the writes that begin so. */
  async function hold(
    identity: string,
    userId: string,
    names: { username: string; account: string },
    at: RegExp,
  ) {
    const old = String((Date.now() - 120_000) * 1000);
    const { database } = server;
    await database.write('INSERT INTO users_by_identity (issuer, subject, user_id) VALUES (?, ?, ?)', [
      'murmuration',
      identity,
      userId,
    ]);
    for (const [table, column, name] of [
      ['users_by_username', 'username_folded', names.username],
      ['users_by_twitter_account', 'account_folded', names.account],
    ])
      await database.write(`INSERT INTO ${table} (${column}, user_id) VALUES (?, ?) USING TIMESTAMP ?`, [
        name,
        userId,
        old,
      ]);
    return held(identity, names, at);
  }

  async function held(identity: string, names: { username: string; account: string }, at: RegExp) {
    const { database: slow, arrived, goOn } = holdUp(at);
    const caller = { kind: 'person', issuer: 'murmuration', subject: identity } as const;
    const given = { username: names.username, name: 'Held up', twitterAccount: names.account };
    const viewer = createViewer(createLoad(slow), caller, false);
    const writeContext = { ...server.writeContext, database: slow };
    const made = codeOf(signUpAs(writeContext, viewer, Object.assign(new CreateUserInput(), given)));
    await arrived;
    return () => {
      goOn();
      return made;
    };
  }
  const nameOf = (identity: string) => ask(server, '{ viewer { username } }', identity);

  test('before it is stored', async () => {
    const names = { username: 'slow_a', account: 'slow_a_t' };
    const goOn = await hold('slow a', '9001', names, /^INSERT INTO users /);
    expect(await signUp('quick a', 'slow_a')).toEqual([]);
    expect(await goOn()).toEqual(['CONFLICT']);
    expect(await nameOf('slow a')).toEqual({ viewer: null });
    expect(await nameOf('quick a')).toEqual({ viewer: { username: 'slow_a' } });
    expect(await signUp('slow a', 'slow_a2', { twitterAccount: 'slow_a_t' })).toEqual([]);
  });

  test('by its account, before it is stored', async () => {
    const names = { username: 'slow_b', account: 'slow_b_t' };
    const goOn = await hold('slow b', '9002', names, /^INSERT INTO users /);
    expect(await signUp('quick b', 'quick_b', { twitterAccount: 'slow_b_t' })).toEqual([]);
    expect(await goOn()).toEqual(['CONFLICT']);
    expect(await nameOf('slow b')).toEqual({ viewer: null });
    expect(await signUp('other b', 'slow_b')).toEqual([]);
  });

  test('when it is stored', async () => {
    const names = { username: 'slow_c', account: 'slow_c_t' };
    const goOn = await hold('slow c', '9003', names, /^UPDATE users_by_username .*stored = true/);
    expect(await signUp('quick c', 'slow_c')).toEqual(['CONFLICT']);
    expect(await goOn()).toEqual([]);
    expect(await nameOf('slow c')).toEqual({ viewer: { username: 'slow_c' } });
  });

  test('while the other takes the name over', async () => {
    const names = { username: 'slow_d', account: 'slow_d_t' };
    const goOn = await hold('slow d', '9004', names, /^INSERT INTO users /);
    const take = await held('taker d', { ...names, account: 'taker_d_t' }, /^UPDATE users_by_username /);
    expect(await goOn()).toEqual([]);
    expect(await take()).toEqual(['CONFLICT']);
    expect(await nameOf('slow d')).toEqual({ viewer: { username: 'slow_d' } });
    expect(await nameOf('taker d')).toEqual({ viewer: null });
  });
});

test('a user that was stored and did not come to keep its name, which another took, is withdrawn when it comes again', async () => {
  expect(await signUp('quick e', 'slow_e')).toEqual([]);
  for (const cql of [
    "INSERT INTO users_by_identity (issuer, subject, user_id) VALUES ('murmuration', 'slow e', 9005)",
    "INSERT INTO users (user_id, username, name, created_at) VALUES (9005, 'slow_e', 'Slow', 0)",
  ])
    await server.database.write(cql, []);
  expect(await signUp('slow e', 'slow_e')).toEqual(['CONFLICT']);
  expect(await found('slow_e')).toMatchObject({ username: 'slow_e' });
  expect(await ask(server, '{ viewer { username } }', 'slow e')).toEqual({ viewer: null });
  expect(await signUp('slow e', 'slow_e2')).toEqual([]);
});

describe('of two who change to one account, of whom one claimed it long ago, one gets it', () => {
  /** Changes to an account, held up before the writes that begin so. */
  async function held(userId: string, account: string, at: RegExp) {
    const held = holdUp(at);
    const user = await createLoad(server.database)(users.get, { userId });
    if (!user) throw new Error(`${userId} must be there`);
    const input = Object.assign(new UpdateUserInput(), { twitterAccount: account });
    const changed = codeOf(updateProfile({ ...server.writeContext, database: held.database }, user, input));
    await held.arrived;
    return () => {
      held.goOn();
      return changed;
    };
  }
  const claimedLongAgo = (account: string, userId: string, stored: boolean) =>
    server.database.write(
      'INSERT INTO users_by_twitter_account (account_folded, user_id, stored) VALUES (?, ?, ?) USING TIMESTAMP ?',
      [account, userId, stored || undefined, String((Date.now() - 120_000) * 1000)],
    );
  const change = (who: string, twitterAccount: string) =>
    codesOf(server, who, 'updateUser', { input: { twitterAccount } });
  const accountOf = (who: string) => ask(server, '{ viewer { twitterAccount } }', who);
  const userIdOf = async (who: string) =>
    ((await ask(server, '{ viewer { userId } }', who)) as { viewer: Person }).viewer.userId;

  test.each([false, true])('when the other takes it over first; kept before: %s', async (stored) => {
    const account = `long_ago_${stored}`;
    for (const who of ['slow', 'quick'])
      expect(await signUp(`${who} ${account}`, `${who}_${account}`)).toEqual([]);
    const userId = await userIdOf(`slow ${account}`);
    await claimedLongAgo(account, userId, stored);
    const goOn = await held(userId, account, /^UPDATE users SET name/);
    expect(await change(`quick ${account}`, account)).toEqual([]);
    expect(await goOn()).toEqual(['CONFLICT']);
    expect(await accountOf(`slow ${account}`)).toEqual({ viewer: { twitterAccount: null } });
    expect(await accountOf(`quick ${account}`)).toEqual({ viewer: { twitterAccount: account } });
  });

  test('when the other takes it over last', async () => {
    for (const who of ['claimer', 'taker']) expect(await signUp(who, who)).toEqual([]);
    await claimedLongAgo('last', await userIdOf('claimer'), true);
    const goOn = await held(await userIdOf('taker'), 'last', /^UPDATE users_by_twitter_account /);
    expect(await change('claimer', 'last')).toEqual([]);
    expect(await goOn()).toEqual(['CONFLICT']);
    expect(await accountOf('claimer')).toEqual({ viewer: { twitterAccount: 'last' } });
    expect(await accountOf('taker')).toEqual({ viewer: { twitterAccount: null } });
    expect(await ask(server, '{ userByTwitterAccount(twitterAccount: "last") { username } }')).toEqual({
      userByTwitterAccount: { username: 'claimer' },
    });
  });
});

test('a name that an identity claimed and did not get in the end leads to nobody', async () => {
  await server.database.write('INSERT INTO users_by_identity (issuer, subject, user_id) VALUES (?, ?, ?)', [
    'murmuration',
    'torn',
    '998',
  ]);
  await server.database.write('INSERT INTO users_by_username (username_folded, user_id) VALUES (?, ?)', [
    'torn_before',
    '998',
  ]);
  expect(await put(server, 'torn', 'createUser', { username: 'torn_after', name: 'Torn' })).toMatchObject({
    userId: '998',
  });
  expect(await found('torn_after')).toMatchObject({ userId: '998' });
  expect(await found('torn_before')).toBeNull();
});

test('identities that ask for several names at once get one user by one name', async () => {
  await Promise.all(
    Array.from({ length: 10 }, async (_, n) => {
      const identity = `undecided ${n}`;
      const names = Array.from({ length: 4 }, (__, k) => `undecided_${n}_${k}`);
      const codes = await Promise.all(names.map((name) => signUp(identity, name, { twitterAccount: name })));
      const { viewer } = (await ask(server, '{ viewer { username } }', identity)) as { viewer: Person };
      const users = await Promise.all(names.map(found));
      expect(users.map((user) => user?.username ?? null)).toEqual(
        names.map((name) => (name === viewer.username ? name : null)),
      );
      expect(codes).toEqual(names.map((name) => (name === viewer.username ? [] : ['CONFLICT'])));
    }),
  );
});

test('nobody may make or change a user without a token, nor change one that is not there', async () => {
  const create = { input: { username: 'nobody', name: 'N' } };
  expect(await codesOf(server, null, 'createUser', create)).toEqual(['UNAUTHENTICATED']);
  expect(await codesOf(server, null, 'updateUser', { input: { name: 'N' } })).toEqual(['UNAUTHENTICATED']);
  expect(await codesOf(server, 'nobody yet', 'updateUser', { input: { name: 'N' } })).toEqual([
    'UNAUTHENTICATED',
  ]);
  expect(await found('nobody')).toBeNull();
});
