import { ask, codesOf, put, type Person } from '../support/mutations';
import { found, server, signUp } from './people';

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
  ['a name of a Hangul filler', 'name', '\u3164'],
  ['a name of blanks of Braille', 'name', '\u2800'],
  ['a description that shows nothing', 'description', '\uFFA0\u1160'],
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

  test('keeps what a variable without a value stands for, and loses what one with null does', async () => {
    const all = { name: 'Whole', description: 'Kept', twitterAccount: 'changer_k' };
    const source = `mutation ($n: String, $d: String, $t: String) {
      updateUser(input: { name: $n, description: $d, twitterAccount: $t }) { user { name description twitterAccount } }
    }`;
    const update = async (variables: object) => {
      const { data, errors } = await server.query(source, { ...variables }, 'changer');
      expect(errors).toEqual([]);
      return (data as { updateUser: { user: unknown } }).updateUser.user;
    };
    // Apollo answers the first time that a document comes, but not the next.
    for (let n = 0; n < 3; n++) {
      expect(await update({ n: 'Whole', d: 'Kept', t: 'changer_k' })).toEqual(all);
      expect(await update({ n: 'Only' })).toEqual({ ...all, name: 'Only' });
      expect(await update({})).toEqual({ ...all, name: 'Only' });
      expect(await update({ d: 'Is' })).toEqual({ ...all, name: 'Only', description: 'Is' });
      expect(await ask(server, '{ userByTwitterAccount(twitterAccount: "changer_k") { username } }')).toEqual(
        {
          userByTwitterAccount: { username: 'changer' },
        },
      );
      expect(await update({ d: null })).toEqual({ ...all, name: 'Only', description: null });
    }
    await changed({ name: 'After', description: 'Is', twitterAccount: 'changer_t' });
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
