import { createStore } from '../../src/import/store/store';
import type { FollowRecord, ImportRecord, TweetRecord, UserRecord } from '../../src/import/records/record';
import { follow, person, startHarness, tweet, type Harness } from '../support/harness';

/** A relation as a file of usernames gives it. */
function followByName(follower: string, followee: string): FollowRecord {
  return { kind: 'follow', follower: { username: follower }, followee: { username: followee } };
}

function followByNumber(follower: string, followee: string): FollowRecord {
  return { kind: 'follow', follower: { userId: follower }, followee: { userId: followee } };
}

function tweetByName(tweetId: string, username: string, more: Partial<TweetRecord> = {}): TweetRecord {
  return { ...tweet(tweetId, '0', 0, more), author: { username } };
}

const files: Record<string, ImportRecord[]> = {
  profiles: [person('1', 'Ada'), person('2', 'bo'), person('3', 'Cy'), person('4', 'dee')],
  usernames: [
    followByName('ada', 'BO'),
    followByName('bo', 'ada'),
    followByName('dee', 'eve'),
    followByName('eve', 'cy'),
  ],
  numbers: [followByNumber('1', '3'), followByNumber('3', '1'), followByNumber('77', '2')],
  named: [
    tweetByName('100', 'Bo'),
    tweetByName('101', 'eve'),
    tweetByName('102', 'cy', { sharedTweetId: '200' }),
  ],
  numbered: [
    tweet('200', '1', 0, { shareCount: 9 }),
    tweet('201', '3', 0, { inReplyToId: '100' }),
    tweet('202', '77', 0, { inReplyToId: '200' }),
    tweet('203', '2', 40, { sharedTweetId: '100' }),
  ],
};

const EVERYTHING = `{
  ${['ada', 'bo', 'cy', 'dee', 'eve', '77', '1']
    .map(
      (name) => `u${name}: user(username: "${name}") {
      userId username name twitterAccount followerCount followingCount tweetCount
      followers { edges { followedAt node { username } } }
      following { edges { followedAt node { username } } }
      tweets { nodes { tweetId author { userId } likeCount shareCount replyCount } }
      timeline { nodes { tweetId author { username } inReplyTo { tweetId } sharedTweet { tweetId } } }
    }`,
    )
    .join('\n')}
  tweetsOfDay(day: "2026-01-01") { nodes { tweetId author { username } shareCount replyCount } }
}`;

/** Each test finds it empty. */
let server: Harness;
beforeAll(async () => {
  server = await startHarness();
});
beforeEach(() => server.empty());

async function importedAs(order: readonly string[], by = server): Promise<unknown> {
  for (const name of order) expect([...(await by.store(files[name] ?? []))]).toEqual([]);
  const { data, errors } = await by.query(EVERYTHING);
  expect(errors).toEqual([]);
  return data;
}

describe('files imported in any order', () => {
  const names = Object.keys(files);
  let expected: unknown;
  beforeAll(async () => {
    expected = await importedAs(names);
  });

  test('give people, relations, tweets and counts', () => {
    expect(expected).toMatchObject({
      uada: { userId: '1', username: 'Ada', followerCount: 2, followingCount: 2, tweetCount: 1 },
      ubo: { userId: '2', followerCount: 2, tweetCount: 2 },
      u77: { userId: '77', followingCount: 1 },
      u1: null,
      tweetsOfDay: {
        nodes: [
          { tweetId: '202', author: { username: '77' }, shareCount: 0, replyCount: 0 },
          { tweetId: '201', author: { username: 'Cy' }, shareCount: 0, replyCount: 0 },
          { tweetId: '200', author: { username: 'Ada' }, shareCount: 9, replyCount: 1 },
          { tweetId: '102', author: { username: 'Cy' }, shareCount: 9, replyCount: 1 },
          { tweetId: '101', author: { username: 'eve' } },
          { tweetId: '100', author: { username: 'bo' }, shareCount: 1, replyCount: 1 },
        ],
      },
    });
  });

  test.each([
    [['usernames', 'named', 'numbers', 'numbered', 'profiles']],
    [['numbered', 'named', 'profiles', 'usernames', 'numbers']],
    [['named', 'usernames', 'profiles', 'numbers', 'numbered', 'named', 'profiles']],
    [['usernames', 'profiles', 'named', 'usernames', 'numbered', 'numbers']],
  ])('are the same as %p', async (order) => {
    expect(await importedAs(order)).toEqual(expected);
  });

  test('are the same when authors are merged in on reading', async () => {
    const order = ['usernames', 'named', 'profiles', 'numbered', 'numbers'];
    const pulling = await startHarness({ FANOUT_PUSH_LIMIT: '0' }, server);
    expect(await importedAs(order, pulling)).toEqual(expected);
  });
});

describe('names', () => {
  const reasons = async (...records: ImportRecord[]) => [...(await server.store(records)).values()];
  const idOf = async (username: string) => {
    const { data } = await server.query(
      'query ($username: String!) { user(username: $username) { userId } }',
      {
        username,
      },
    );
    return (data as { user: { userId: string } | null }).user?.userId;
  };

  test('belong to who claims them first', async () => {
    expect(await reasons(person('1', 'ada'), person('2', 'ADA'))).toEqual([
      'the username belongs to another user: ADA is user 1',
    ]);
    expect(await reasons(person('2', 'Ada'), person('1', 'ada'))).toEqual([
      'the username belongs to another user: Ada is user 1',
    ]);
    expect(await idOf('ada')).toBe('1');
  });

  test('do not change when another is claimed for the same user', async () => {
    expect(await reasons(person('1', 'ada'), person('1', 'lovelace'))).toEqual([
      'the user already has another username: user 1 is ada',
    ]);
    expect(await idOf('lovelace')).toBeUndefined();
  });

  test('that are numbers give way to the name of a profile', async () => {
    expect(await reasons(follow('88', '99'))).toEqual([]);
    expect(await idOf('88')).toBe('88');
    expect(await reasons(person('88', 'ada'))).toEqual([]);
    expect([await idOf('88'), await idOf('ada')]).toEqual([undefined, '88']);
    expect(await reasons(follow('88', '5'))).toEqual([]);
    expect(await idOf('88')).toBeUndefined();
  });

  test('that are numbers may be those of somebody else, whose they stay', async () => {
    expect(await reasons(person('5', '88'), follow('88', '99'))).toEqual([
      'the username belongs to another user: 88 is user 5',
    ]);
    expect(await idOf('88')).toBe('5');
    expect(await reasons(follow('77', '99'), person('6', '77'))).toEqual([
      'the username belongs to another user: 77 is user 77',
    ]);
    expect(await idOf('77')).toBe('77');
  });

  test('do not stop the tweets of an author whose name is taken', async () => {
    const profile: UserRecord = person('2', 'ada');
    const by2: TweetRecord = { ...tweet('100', '2'), author: { userId: '2', username: 'ada' } };
    expect(await reasons(person('1', 'ada'), profile, by2)).toEqual([
      'the username belongs to another user: ada is user 1',
    ]);
    const { data } = await server.query('{ tweet(tweetId: "100") { author { userId username } } }');
    expect(data).toEqual({ tweet: { author: { userId: '2', username: '2' } } });
  });
});

test('two shares of one tweet by one author are one, and importing them again changes nothing', async () => {
  const shares = [
    tweet('100', '1'),
    tweet('101', '2', 1, { sharedTweetId: '100' }),
    tweet('102', '2', 2, { sharedTweetId: '100' }),
    tweet('103', '3', 2, { sharedTweetId: '100' }),
  ];
  for (let times = 0; times < 2; times++) await server.store(shares);
  const { data } = await server.query(
    '{ tweet(tweetId: "100") { shareCount } user(username: "2") { tweetCount tweets { nodes { tweetId } } } }',
  );
  expect(data).toEqual({
    tweet: { shareCount: 2 },
    user: { tweetCount: 1, tweets: { nodes: [{ tweetId: '101' }] } },
  });
});

test('a share whose original is not here keeps its own counts', async () => {
  const counts = { likeCount: 7, shareCount: 50, replyCount: 3 };
  await server.store([tweet('101', '2', 1, { sharedTweetId: '999', ...counts })]);
  const { data } = await server.query(
    '{ tweet(tweetId: "101") { likeCount shareCount replyCount sharedTweet { id } } }',
  );
  expect(data).toEqual({ tweet: { ...counts, sharedTweet: null } });
});

test('a profile that comes in the same import after its number wins, whatever its name', async () => {
  const store = createStore(server.database, server.config);
  await store.add([follow('9', '4')]);
  await store.add([{ ...person('9', '1direction'), name: '(Ada)' }]);
  await store.settle();
  const { data } = await server.query(
    '{ user(username: "1direction") { userId username name followingCount } }',
  );
  expect(data).toEqual({ user: { userId: '9', username: '1direction', name: '(Ada)', followingCount: 1 } });
});

test('an author who gets a profile and more followers than are pushed to is shown with the profile', async () => {
  const by = await startHarness({ FANOUT_PUSH_LIMIT: '1' }, server);
  await by.store([followByName('ada', 'bo'), { ...tweet('100', '', 1), author: { username: 'bo' } }]);
  await by.store([person('2', 'bo'), followByName('cy', 'bo')]);
  const { data, errors } = await by.query(
    '{ user(username: "ada") { timeline { nodes { tweetId author { userId name } } } } }',
  );
  expect(errors).toEqual([]);
  expect(data).toEqual({
    user: { timeline: { nodes: [{ tweetId: '100', author: { userId: '2', name: 'The bo' } }] } },
  });
});

test('a second profile of a user is refused when it differs; one is taken where there was only a name', async () => {
  await server.store([
    followByNumber('1', '2'),
    { ...tweet('100', '3'), author: { userId: '3', username: 'cy' } },
  ]);
  const taken = [person('1', 'ada'), person('3', 'cy')];
  expect([...(await server.store(taken))]).toEqual([]);
  expect([...(await server.store(taken))]).toEqual([]);
  const others = [
    { ...person('1', 'ada'), name: 'Another' },
    { ...person('3', 'CY'), description: 'new' },
  ];
  expect([...(await server.store(others))]).toEqual([
    [0, 'the user already has a different profile: 1'],
    [1, 'the user already has a different profile: 3'],
  ]);
  const { data } = await server.query('{ user(username: "ada") { name } cy: user(username: "cy") { name } }');
  expect(data).toEqual({ user: { name: 'The ada' }, cy: { name: 'The cy' } });
});

test('somebody who is known by name only has no time of creation, whatever time the derived id looks like', async () => {
  const names = Array.from({ length: 40 }, (_, n) => `known${n}`);
  expect([...(await server.store(names.slice(1).map((name) => followByName('known0', name))))]).toEqual([]);
  const { data } = await server.query(
    `{ ${names.map((name) => `${name}: user(username: "${name}") { createdAt }`).join(' ')} }`,
  );
  expect(new Set(Object.values(data ?? {}).map((user) => (user as { createdAt: string }).createdAt))).toEqual(
    new Set(['1970-01-01T00:00:00.000Z']),
  );
});
