import { encodeNodeId } from '../../src/kit/relay/node';
import { createSchema } from '../../src/schema';
import { codesOf, mutations, type Mutation, type Variables } from '../mutations';
import { server, tweetNode, userNode } from './tweets';

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
    publishArticle: { input: { title: 'Acting', body: 'acting' } },
    addComment: { input: { articleId: encodeNodeId('Article', '101'), body: 'acting' } },
  };
  const isMutation = (name: string): name is Mutation => name in mutations;
  const all = Object.keys(mutations).filter(isMutation);
  const others = all.filter((name) => name !== 'createUser');

  test('is tested here in every way', () => {
    expect([...all].sort()).toEqual(Object.keys(createSchema().getMutationType()?.getFields() ?? {}).sort());
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

  test.each(others.filter((name) => 'id' in values[name]))(
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
