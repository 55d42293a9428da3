import type { Database, Write } from '../../src/kit/cassandra/database';
import { ClientError } from '../../src/kit/base/errors';
import { createLoad } from '../../src/kit/reads/load';
import { confirmAccount } from '../../src/write/user/twitter-account';
import { signUp as signUpAs, updateProfile } from '../../src/write/user/sign-up';
import { CreateUserInput, UpdateUserInput } from '../../src/write/user/user.input';
import { users } from '../../src/features/user/user.table';
import { createViewer } from '../../src/features/viewer/viewer';
import { ask, codesOf, put, type Person } from '../support/mutations';
import { found, server, signUp } from './people';

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
    const writeServices = { ...server.writeServices, database: slow };
    const made = codeOf(signUpAs(writeServices, viewer, Object.assign(new CreateUserInput(), given)));
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
    expect(await found('slow_a')).toMatchObject({ username: 'slow_a' });
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
    const changed = codeOf(updateProfile({ ...server.writeServices, database: held.database }, user, input));
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

describe('of a user who changes accounts, exactly the present one is kept from others', () => {
  const userOf = async (identity: string, twitterAccount: string) => {
    expect(await signUp(identity, identity, { twitterAccount })).toEqual([]);
    const { viewer } = (await ask(server, '{ viewer { userId } }', identity)) as { viewer: Person };
    const user = await createLoad(server.database)(users.get, { userId: viewer.userId });
    if (!user) throw new Error(`${identity} must be there`);
    return user;
  };
  const accountsOf = async (userId: string) => {
    const cql =
      'SELECT account_folded AS account, CAST(user_id AS text) AS owner FROM users_by_twitter_account';
    const rows = await server.database.run(cql);
    return rows.flatMap((row) => (row['owner'] === userId ? [String(row['account'])] : []));
  };

  test('also where one change comes to its end after a later one, which went back', async () => {
    const user = await userOf('turner', 'turner_a');
    const { database, arrived, goOn } = holdUp(/^UPDATE users_by_twitter_account /);
    const input = Object.assign(new UpdateUserInput(), { twitterAccount: 'turner_b' });
    const first = codeOf(updateProfile({ ...server.writeServices, database }, user, input));
    await arrived;
    await put(server, 'turner', 'updateUser', { twitterAccount: 'turner_a' });
    goOn();
    expect(await first).toEqual([]);
    expect(await accountsOf(user.userId)).toEqual(['turner_a']);
  });

  test('also where a change is refused, of which nothing is left to do', async () => {
    const { userId } = await userOf('wrong', 'wrong_a');
    for (const account of ['', 'wrong_a ', ' ', 'a  b'])
      expect(await codesOf(server, 'wrong', 'updateUser', { input: { twitterAccount: account } })).toEqual([
        'BAD_USER_INPUT',
      ]);
    await server.writeServices.outbox.leaveToTask('profile', { userId, accounts: 'wrong_a  ' });
    await server.writeServices.outbox.idle();
    expect(await accountsOf(userId)).toEqual(['wrong_a']);
  });

  test('also where another user got it meanwhile, in whatever case it was written', async () => {
    const { userId } = await userOf('loser', 'Loser_A');
    const other = await userOf('winner', 'winner_a');
    await server.database.write(
      'INSERT INTO users_by_twitter_account (account_folded, user_id, stored) VALUES (?, ?, true)',
      ['loser_a', other.userId],
    );
    await expect(
      confirmAccount(server.database, { userId, twitterAccount: null }, 'loser_a'),
    ).rejects.toThrow('is taken');
    expect(await ask(server, '{ viewer { twitterAccount } }', 'loser')).toEqual({
      viewer: { twitterAccount: null },
    });
  });

  test('also where a change was cut off before it released the former one', async () => {
    const { userId } = await userOf('breaker', 'breaker_b');
    const cql = 'INSERT INTO users_by_twitter_account (account_folded, user_id, stored) VALUES (?, ?, true)';
    await server.database.write(cql, ['breaker_a', userId]);
    await server.writeServices.outbox.leaveToTask('profile', { userId, accounts: 'Breaker_a Breaker_b' });
    await server.writeServices.outbox.idle();
    expect(await accountsOf(userId)).toEqual(['breaker_b']);
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
