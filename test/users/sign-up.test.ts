import { signToken } from '../../src/features/viewer/token';
import { JWT_SECRET } from '../support/harness';
import { act, ask, codesOf, post, put, send, type Person } from '../support/mutations';
import { found, server, signUp } from './people';

const idOfAda = Buffer.from('User:1').toString('base64url');

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
