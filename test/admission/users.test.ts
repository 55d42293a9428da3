import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { startHarness, type Harness } from '../support/harness';
import { act, codesOf, send } from '../support/mutations';
import { RECORDS, refusalsOf } from './ask';

describe('a user who acts too often', () => {
  let acting: Harness;
  let toggling: Harness;
  beforeAll(async () => {
    acting = await startHarness({ RATE_MUTATIONS_PER_MINUTE: '4' });
    await acting.store(RECORDS);
  });
  beforeEach(async () => {
    toggling = await startHarness({ RATE_PAIR_PER_HOUR: '2' }, acting);
  });
  afterEach(() => toggling.close());
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
    const message = expect.stringMatching(
      /^A caller may make 4 mutations in 60 s \(the limit "mutations"\)\. This request asks for 3, but the caller has 2 left\. Try again in \d+ s\.$/,
    ) as string;
    expect([status, errors]).toMatchObject([429, [{ message, extensions: { code: 'RATE_LIMITED' } }]]);
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
    await act(toggling, '5', one, target);
    // What changes nothing is free: a client that did not hear the answer may ask again.
    for (let n = 0; n < 5; n++) await act(toggling, '5', one, target);
    await act(toggling, '5', other, target);
    for (const name of [one, other]) {
      const { status, errors, data } = await send(toggling, '5', name, target);
      expect({ status, data, errors }).toMatchObject({
        status: 200,
        data: { [name]: null },
        errors: [
          { path: [name], extensions: { code: 'RATE_LIMITED', retryAfter: expect.any(Number) as number } },
        ],
      });
    }
    expect(await codesOf(toggling, '6', one, target)).toEqual([]);
    if (another) expect(await codesOf(toggling, '5', one, another)).toEqual([]);
    expect(await refusalsOf(toggling, 'pair')).toBe(2);
  });

  test.each([
    ['blocks', 'blockUser', 'unblockUser'],
    ['mutes', 'muteUser', 'unmuteUser'],
  ] as const)(
    '%s a user whenever that is wanted, but shows it again only so often',
    async (_, one, other) => {
      const codes: string[][] = [];
      for (const name of [one, other, one, other, one, other, one])
        codes.push(await codesOf(toggling, '6', name, user('2')));
      expect(codes).toEqual([[], [], [], [], [], ['RATE_LIMITED'], []]);
      expect(await codesOf(toggling, '6', other, user('3'))).toEqual([]);
    },
  );

  test('and deletes replies to one tweet again and again is refused, replies to others are not', async () => {
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
  });
});
