import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { createSchema } from '../../src/app';
import { codesOf, mutations, type Mutation, type Variables } from '../support/mutations';
import { server, tweetCount, tweetNode, userNode } from './tweets';

describe('acting', () => {
  const values: Readonly<Record<Mutation, Variables>> = {
    createUser: { input: { username: 'acting', name: 'Acting' } },
    updateUser: { input: { name: 'Acting' } },
    followUser: { id: userNode('2') },
    unfollowUser: { id: userNode('2') },
    createTweet: { input: { content: 'acting' } },
    deleteTweet: { id: tweetNode('101') },
    likeTweet: { id: tweetNode('101') },
    unlikeTweet: { id: tweetNode('101') },
    shareTweet: { id: tweetNode('101') },
    unshareTweet: { id: tweetNode('101') },
    bookmarkTweet: { id: tweetNode('101') },
    removeBookmark: { id: tweetNode('101') },
    publishArticle: { input: { title: 'Acting', body: 'acting' } },
    addComment: { input: { articleId: encodeNodeId('Article', '101'), body: 'acting' } },
    muteThread: { id: tweetNode('101') },
    unmuteThread: { id: tweetNode('101') },
    markNotificationsSeen: { until: 'acting' },
    blockUser: { id: userNode('2') },
    unblockUser: { id: userNode('2') },
    muteUser: { id: userNode('2') },
    unmuteUser: { id: userNode('2') },
    muteWords: { input: { text: 'acting' } },
    unmuteWords: { id: encodeNodeId('MutedWord', '2') },
    suspendUser: { id: userNode('2'), reason: 'acting' },
    unsuspendUser: { id: userNode('2'), reason: 'acting' },
    removeTweet: { id: tweetNode('101'), reason: 'acting' },
    deleteAccount: { confirm: 'acting' },
    cancelAccountDeletion: {},
    requestExport: {},
  };
  // What a service may do.
  const ofServices = ['createUser', 'suspendUser', 'unsuspendUser', 'removeTweet'];
  const isMutation = (name: string): name is Mutation => name in mutations;
  const all = Object.keys(mutations).filter(isMutation);
  const others = all.filter((name) => !ofServices.includes(name));

  test('is tested here in every way', () => {
    expect([...all].sort()).toEqual(Object.keys(createSchema().getMutationType()?.getFields() ?? {}).sort());
  });

  test('answers with a payload of its own, or null', () => {
    for (const { name, type } of Object.values(createSchema().getMutationType()?.getFields() ?? {}))
      expect(String(type)).toBe(`${name.charAt(0).toUpperCase()}${name.slice(1)}Payload`);
  });

  test.each(others)('that fails leaves the answers of the others of its document: %s', async (name) => {
    const [argument] = Object.keys(values[name]);
    const types: Readonly<Record<string, string>> = { id: 'ID!', confirm: 'String!', until: 'String!' };
    const type = types[argument ?? ''] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}Input!`;
    const [declared, given] = argument ? [`($value: ${type})`, `(${argument}: $value)`] : ['', ''];
    const create = (alias: string) =>
      `${alias}: createUser(input: { username: "${alias}_${name}", name: "Kept", idempotencyKey: "${alias} ${name}" }) { user { username } }`;
    const source = `mutation ${declared} { ${create('a')} failing: ${name}${given} { __typename } ${create('z')} }`;
    // Also when it is sent again.
    for (let n = 0; n < 2; n++)
      expect(await server.query(source, { value: values[name][argument ?? ''] }, 'service')).toMatchObject({
        status: 200,
        data: {
          a: { user: { username: `a_${name}` } },
          failing: null,
          z: { user: { username: `z_${name}` } },
        },
        errors: [{ path: ['failing'], extensions: { code: 'FORBIDDEN' } }],
      });
  });

  test('again with the same keys makes nothing twice, whichever other one of its document fails', async () => {
    const source = `mutation {
      first: createTweet(input: { content: "kept", idempotencyKey: "kept first" }) { tweet { id } }
      wrong: createTweet(input: { content: " ", idempotencyKey: "kept wrong" }) { tweet { id } }
      gone: likeTweet(id: "${tweetNode('999')}") { tweet { id } }
      last: createTweet(input: { content: "kept too", idempotencyKey: "kept last" }) { tweet { id } }
    }`;
    const before = await tweetCount('1');
    const answer = await server.query(source, {}, '1');
    expect(answer).toMatchObject({
      data: { first: { tweet: {} }, wrong: null, gone: null, last: { tweet: {} } },
      errors: [
        { path: ['wrong'], extensions: { code: 'BAD_USER_INPUT' } },
        { path: ['gone'], extensions: { code: 'NOT_FOUND' } },
      ],
    });
    const { data, errors } = await server.query(source, {}, '1');
    expect({ data, errors }).toEqual({ data: answer.data, errors: answer.errors });
    expect(await tweetCount('1')).toBe(before + 2);
  });

  test.each(all)('needs a token: %s', async (name) => {
    expect(await codesOf(server, null, name, values[name])).toEqual(['UNAUTHENTICATED']);
  });

  test.each(others)('needs a user: %s', async (name) => {
    expect(await codesOf(server, 'nobody yet', name, values[name])).toEqual(['UNAUTHENTICATED']);
  });

  test.each(others)('is not for services: %s', async (name) => {
    expect(await codesOf(server, 'service', name, values[name])).toEqual(['FORBIDDEN']);
  });

  // Removing a muted word that is not there succeeds, and the id of a tweet is none of a muted word.
  test.each(others.filter((name) => 'id' in values[name] && name !== 'unmuteWords'))(
    'on what was never there is not found: %s',
    async (name) => {
      const id = name.endsWith('User') ? userNode('999') : tweetNode('999');
      expect(await codesOf(server, '1', name, { id })).toEqual(['NOT_FOUND']);
    },
  );

  test.each(others.filter((name) => 'id' in values[name]))(
    'on what is something else is refused: %s',
    async (name) => {
      const wrong = name.endsWith('User') ? tweetNode('101') : userNode('1');
      for (const id of [wrong, '', 'x', '1', '\u0000'])
        expect(await codesOf(server, '1', name, { id })).toEqual(['BAD_USER_INPUT']);
    },
  );

  test.each(['followUser', 'unfollowUser'] as const)('on oneself is refused: %s', async (name) => {
    expect(await codesOf(server, '1', name, { id: userNode('1') })).toEqual(['BAD_USER_INPUT']);
  });
});
