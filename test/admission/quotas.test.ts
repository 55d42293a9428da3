import { setTimeout as sleep } from 'node:timers/promises';
import { MUTED_WORD } from '../../src/features/hidden/sight/muted-word.type';
import { keyOfMuted } from '../../src/features/hidden/sight/muted-words';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { wordIdOf } from '../../src/write/hidden/set-muted';
import { person, startHarness, tweet as tweetRecord, type Harness } from '../support/harness';
import { act, codesOf, send, type Mutation, type Posted, type Variables } from '../support/mutations';
import { RECORDS } from './ask';

/** Quotas that are few, so that a server claims them at once. */
const settings = {
  QUOTA_POSTS_PER_HOUR: '4',
  QUOTA_FOLLOWS_PER_HOUR: '3',
  QUOTA_DELETIONS_PER_HOUR: '2',
  QUOTA_BYTES_PER_DAY: '3000',
};

let one: Harness;
let other: Harness;
beforeAll(async () => {
  // In the next hour everybody has all of the quotas again.
  const left = 3_600_000 - (Date.now() % 3_600_000);
  if (left < 60_000) await sleep(left);
  one = await startHarness(settings);
  await one.store([
    ...RECORDS,
    person('8', 'hal'),
    person('9', 'ivy'),
    person('10', 'joy'),
    person('11', 'kit'),
    person('12', 'lou'),
    person('13', 'mia'),
    tweetRecord('200', '13'),
    tweetRecord('201', '13'),
  ]);
  other = await startHarness(settings, one);
});

const post = (content: string, key?: string) => ({
  input: { content, ...(key !== undefined && { idempotencyKey: key }) },
});
const tweet = { id: encodeNodeId('Tweet', '100') };
const user = (userId: string) => ({ id: encodeNodeId('User', userId) });
const mutedWord = (text: string) => encodeNodeId(MUTED_WORD, wordIdOf(keyOfMuted(text)));

/** The codes of errors of acts, each on the other server than the one before. */
async function codesOfAll(who: string, acts: readonly (readonly [Mutation, Variables])[]) {
  const codes: string[] = [];
  for (const [n, [name, variables]] of acts.entries())
    codes.push((await codesOf(n % 2 === 0 ? one : other, who, name, variables))[0] ?? 'done');
  return codes;
}

const article = { input: { title: 'A title', body: 'A text' } };

test.each<[what: string, who: string, acts: readonly (readonly [Mutation, Variables])[], codes: string[]]>([
  [
    'tweets, shares and articles together',
    '2',
    [
      ['createTweet', post('One')],
      ['shareTweet', tweet],
      // It is shared already.
      ['shareTweet', tweet],
      ['createTweet', post('Two')],
      ['publishArticle', article],
      ['createTweet', post('Three')],
      ['publishArticle', article],
      // Another quota.
      ['unshareTweet', tweet],
    ],
    ['done', 'done', 'done', 'done', 'done', 'RATE_LIMITED', 'RATE_LIMITED', 'done'],
  ],
  [
    'changes of whom somebody follows',
    '3',
    [
      ['followUser', user('1')],
      ['followUser', user('1')],
      ['followUser', user('999')],
      ['followUser', user('2')],
      ['unfollowUser', user('1')],
      ['followUser', user('4')],
    ],
    ['done', 'done', 'NOT_FOUND', 'done', 'done', 'RATE_LIMITED'],
  ],
  [
    'all that is taken back',
    '8',
    [
      ['likeTweet', tweet],
      ['unlikeTweet', tweet],
      ['unlikeTweet', tweet],
      ['followUser', user('1')],
      ['unfollowUser', user('1')],
      ['likeTweet', tweet],
      ['unlikeTweet', tweet],
    ],
    ['done', 'done', 'done', 'done', 'done', 'done', 'RATE_LIMITED'],
  ],
  [
    'bytes',
    '4',
    [
      ['updateUser', { input: { description: 'a'.repeat(100) } }],
      ['createTweet', post('😀'.repeat(400))],
      ['updateUser', { input: { description: 'é'.repeat(160) } }],
      ['publishArticle', { input: { title: 'A title', body: 'a'.repeat(1500) } }],
      ['createTweet', post('Short')],
    ],
    ['done', 'done', 'done', 'RATE_LIMITED', 'done'],
  ],
  [
    'follows, of which those that are made already are free',
    '12',
    [
      ['followUser', user('1')],
      ['followUser', user('2')],
      ['followUser', user('4')],
      ['followUser', user('5')],
      ['followUser', user('4')],
      ['unfollowUser', user('5')],
    ],
    ['done', 'done', 'done', 'RATE_LIMITED', 'done', 'done'],
  ],
  [
    'deletions, of which those that are made already are free',
    '13',
    [
      ['deleteTweet', { id: encodeNodeId('Tweet', '200') }],
      ['likeTweet', tweet],
      ['unlikeTweet', tweet],
      ['deleteTweet', { id: encodeNodeId('Tweet', '201') }],
      ['deleteTweet', { id: encodeNodeId('Tweet', '200') }],
      ['unlikeTweet', tweet],
      ['unshareTweet', tweet],
      ['unblockUser', user('1')],
      ['unmuteUser', user('1')],
      ['unmuteThread', tweet],
      ['unmuteWords', { id: mutedWord('never') }],
    ],
    ['done', 'done', 'done', 'RATE_LIMITED', 'done', 'done', 'done', 'done', 'done', 'done', 'done'],
  ],
  [
    'posts, of which a share that is made already is free',
    '10',
    [
      ['createTweet', post('One')],
      ['createTweet', post('Two')],
      ['createTweet', post('Three')],
      ['shareTweet', tweet],
      ['createTweet', post('Four')],
      ['shareTweet', tweet],
    ],
    ['done', 'done', 'done', 'done', 'RATE_LIMITED', 'done'],
  ],
])('a user has quotas of %s on all servers together', async (_, who, acts, codes) => {
  expect(await codesOfAll(who, acts)).toEqual(codes);
});

const until = '2999-01-01T00:00:00Z';
const words = (text: string) => ({ input: { text } });

test.each<[string, string, [Mutation, Variables][], string[]]>([
  [
    'of threads counts as three, if there was one',
    '9',
    [
      ['muteThread', tweet],
      ['unmuteThread', tweet],
      ['unmuteThread', tweet],
      ['muteThread', tweet],
      ['unmuteThread', tweet],
      ['muteThread', tweet],
      ['unmuteThread', tweet],
    ],
    ['done', 'done', 'done', 'done', 'done', 'done', 'RATE_LIMITED'],
  ],
  [
    'of users counts as three, or four if a moment ends it; neither a block nor a mute without an end counts',
    '10',
    [
      ['blockUser', user('6')],
      ['unblockUser', user('6')],
      ['blockUser', user('6')],
      ['muteUser', user('7')],
      ['unmuteUser', user('7')],
      ['muteUser', { ...user('7'), scope: ['SHARES'] }],
      ['muteUser', { ...user('7'), until }],
      ['unmuteUser', user('7')],
      ['unblockUser', user('6')],
    ],
    ['done', 'done', 'done', 'done', 'done', 'done', 'RATE_LIMITED', 'RATE_LIMITED', 'done'],
  ],
  [
    'of words counts as three, or six if a moment ends it',
    '11',
    [
      ['muteWords', { input: { text: 'tea', until } }],
      ['muteWords', { input: { text: 'tea', until } }],
      ['muteWords', words('coffee')],
      ['unmuteWords', { id: mutedWord('coffee') }],
    ],
    ['done', 'RATE_LIMITED', 'done', 'RATE_LIMITED'],
  ],
])('of six deletions, the end of a mute %s', async (_, who, acts, codes) => {
  const roomy = await startHarness({ ...settings, QUOTA_DELETIONS_PER_HOUR: '6' }, one);
  const all: string[] = [];
  for (const [name, variables] of acts) all.push((await codesOf(roomy, who, name, variables))[0] ?? 'done');
  expect(all).toEqual(codes);
  await roomy.close();
});

test('deletions have a quota, and a restart keeps what was used', async () => {
  const ids = [];
  for (const content of ['One', 'Two', 'Three']) {
    const { tweet: posted } = (await act(one, '5', 'createTweet', post(content))) as { tweet: Posted };
    ids.push({ id: posted.id });
  }
  const [first = {}, second = {}, third = {}] = ids;
  // Deleting again is free.
  for (const id of [first, first, second]) expect(await codesOf(one, '5', 'deleteTweet', id)).toEqual([]);
  const restarted = await startHarness(settings, one);
  const { data, errors } = await send(restarted, '5', 'deleteTweet', third);
  expect(data).toEqual({ deleteTweet: null });
  expect(errors[0]).toMatchObject({
    message: expect.stringMatching(
      /^A user has 2 deletions in an hour \(QUOTA_DELETIONS_PER_HOUR\), of which 0 are left, but this needs 1\. Try again in \d+ s\.$/,
    ) as string,
    extensions: { code: 'RATE_LIMITED', retryAfter: expect.any(Number) as number },
  });
  const { retryAfter: seconds } = errors[0]?.extensions as unknown as { retryAfter: number };
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(3600);
});

test('of many posts at once no more than the quota succeed, and all that it allows', async () => {
  const codes = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      codesOf(n % 2 === 0 ? one : other, '6', 'createTweet', post(`${n}`)),
    ),
  );
  expect(codes.filter(([code]) => code === undefined)).toHaveLength(4);
  expect(codes.flat().filter((code) => code !== 'RATE_LIMITED')).toEqual([]);
});

/** How often each quota has refused something on either server, by its metric. */
async function refusals(): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const server of [one, other]) {
    const { body } = await server.get('/metrics');
    for (const [, quota = '', count] of body.matchAll(
      /^murmuration_quota_refused_total\{quota="(\w+)"\} (\d+)$/gm,
    ))
      sums[quota] = (sums[quota] ?? 0) + Number(count);
  }
  return sums;
}

test('a post that is repeated with its key counts once', async () => {
  const before = await refusals();
  const acts = Array.from({ length: 5 }, () => ['createTweet', post('Again', 'key')] as const);
  const others = ['2', '3', '4'].map((content) => ['createTweet', post(content)] as const);
  expect(await codesOfAll('7', [...acts, ...others])).toEqual(Array(8).fill('done'));
  // Also when nothing is left: whoever has not heard the answer must find out.
  expect(await codesOfAll('7', acts)).toEqual(Array(5).fill('done'));
  expect(await codesOfAll('7', others)).toEqual(Array(3).fill('RATE_LIMITED'));
  // A metric counts what was refused, and not what was repeated.
  const { posts = 0, ...rest } = before;
  expect(await refusals()).toEqual({ ...rest, posts: posts + 3 });
  expect(Object.keys(before).sort()).toEqual(['bytes', 'deletions', 'follows', 'posts', 'renames']);
});

test('a server lets each user do a hundredth of a quota without asking the database', async () => {
  const roomy = await startHarness({ QUOTA_POSTS_PER_HOUR: '200' }, one);
  const used = async () =>
    (await one.database.run(
      "SELECT used FROM quota_uses WHERE user_id = 1 AND quota = 'posts' AND period = ?",
      [Math.floor(Date.now() / 3_600_000)],
    )) as unknown as { used: number }[];
  for (let n = 0; n < 2; n++) await act(roomy, '1', 'createTweet', post(`${n}`));
  expect(await used()).toEqual([]);
  await act(roomy, '1', 'createTweet', post('2'));
  // What was done, and a twentieth ahead.
  expect(await used()).toMatchObject([{ used: 13 }]);
});
