import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { createSchema } from '../src/app';
import { encodeNodeId } from '../src/kit/graphql/global-id';
import { check, startClient, TRIED, type Client } from './support/client';
import { documentsOf, oddText, oddValue, prototypeKeys } from './support/documents';
import { mutations } from './support/mutations';

const schema = createSchema();
const document = documentsOf(schema);
let client: Client;
beforeAll(async () => {
  client = await startClient();
});
afterAll(() => client.close());

test('any document is answered or refused', async () => {
  let answered = 0;
  const variables = fc.record({ n: oddValue, s: oddValue, b: oddValue }, { requiredKeys: [] });
  await check(1500, fc.tuple(document, fc.oneof(fc.constant({}), variables)), async ([query, given]) => {
    const { data } = await client.post({ query, variables: given });
    if (data != null) answered++;
  });
  // Else the documents are too odd to try much.
  expect(answered).toBeGreaterThan(TRIED * 150);
});

test('a document that was damaged is answered or refused', async () => {
  const damage = fc.tuple(fc.nat(), fc.nat(40), oddText);
  await check(1000, fc.tuple(document, damage), ([source, [at, cut, text]]) => {
    const start = at % (source.length + 1);
    return client.post({ query: source.slice(0, start) + text + source.slice(start + cut) });
  });
});

// Lists and the cursors that they give.
const lists = ['followers', 'following', 'tweets', 'timeline', 'likes'].flatMap((list) =>
  ['ada', 'bo'].map((name) => ({
    table:
      {
        followers: 'followers_by_user',
        following: 'following_by_user',
        tweets: 'tweets_by_author',
        timeline: 'timelines_by_user',
        likes: 'likes_by_user',
      }[list] ?? '',
    owner: name === 'ada' ? '1' : '2',
    ask: (page: string) =>
      `{ user(username: "${name}") { list: ${list}(${page}) { edges { cursor } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } } }`,
  })),
);
const ofTweet = (table: string, list: string) => ({
  table,
  owner: '100',
  ask: (page: string) =>
    `{ tweet(tweetId: "100") { list: ${list}(${page}) { edges { cursor } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } } }`,
});
lists.push(ofTweet('likes_by_tweet', 'likers'), ofTweet('replies_by_tweet', 'replies'));
lists.push({
  table: 'tweets_by_day',
  owner: '20260101',
  ask: (page) =>
    `{ list: tweetsOfDay(day: "2026-01-01", ${page}) { edges { cursor } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } }`,
});
const list = fc.constantFrom(...lists);
const direction = fc.constantFrom(
  'first: 2, after',
  'last: 2, before',
  'after',
  'before',
  'first: 100, after',
);

async function cursorsOf(): Promise<string[][]> {
  return Promise.all(
    lists.map(async ({ ask }) => {
      const { data } = await client.post({ query: ask('first: 10') });
      return [...JSON.stringify(data).matchAll(/"cursor":"([^"]+)"/g)].map(([, cursor = '']) => cursor);
    }),
  );
}

test('a cursor that was damaged or is of another list is refused', async () => {
  const cursors = await cursorsOf();
  expect(Math.min(...cursors.map(({ length }) => length))).toBeGreaterThan(0);
  const flip = (cursor: string, at: number, bit: number) => {
    const bytes = Buffer.from(cursor, 'base64url');
    const place = at % bytes.length;
    bytes.writeUInt8(bytes.readUInt8(place) ^ (1 << bit), place);
    return bytes.toString('base64url');
  };
  const damages: ((cursor: string, at: number, n: number) => string)[] = [
    flip,
    (cursor, at) => cursor.slice(0, at % cursor.length),
    (cursor, at) => cursor.slice(1 + (at % cursor.length)),
    (cursor, at, n) =>
      cursor.slice(0, at % cursor.length) + 'Ab1_-=+/ \0'.charAt(n) + cursor.slice(at % cursor.length),
    (cursor, _at, n) => `${cursor}${['A', '=', '==', ' ', '\n', cursor, '\0', 'é'][n] ?? ''}`,
    (cursor) => cursor.toLowerCase(),
    (_cursor, at) => cursors.flat()[at % cursors.flat().length] ?? '',
  ];
  await check(
    1000,
    fc.tuple(fc.nat(lists.length - 1), fc.nat(), fc.constantFrom(...damages), fc.nat(), fc.nat(7), direction),
    async ([which, nth, damage, at, n, page]) => {
      const own = cursors[which] ?? [];
      const cursor = damage(own[nth % own.length] ?? '', at, n);
      const { codes } = await client.post({ query: lists[which]?.ask(`${page}: ${JSON.stringify(cursor)}`) });
      // An empty cursor counts as none.
      expect(codes).toEqual(cursor === '' || own.includes(cursor) ? [] : ['BAD_USER_INPUT']);
    },
  );
});

test('a cursor that was forged, its checksum and all, is answered or refused', async () => {
  const forge = (name: string, words: readonly string[]) => {
    const body = Buffer.from(words.join(' ')).toString('latin1');
    const checksum = createHash('sha256').update(`${name}\0${body}`).digest('base64url').slice(0, 8);
    return Buffer.from(`${body} ${checksum}`, 'latin1').toString('base64url');
  };
  const listBuckets = ['24311', '24312', '24313', '0'];
  const bucket = fc.oneof(
    fc.constantFrom(...listBuckets),
    fc.constantFrom(
      'NaN',
      'Infinity',
      '-1',
      '1e9',
      '2.5',
      '0x10',
      '',
      '-0',
      '999999999999999999999',
      '-999999999',
    ),
    oddText.map((text) => text.slice(0, 40)),
  );
  const word = fc.oneof(
    fc.constantFrom(
      '1',
      '100',
      '-1',
      '9223372036854775807',
      '9223372036854775808',
      '-9223372036854775809',
      '1.5',
      'NaN',
      '',
    ),
    fc.constantFrom(
      't0',
      't1767225600000',
      't-1',
      'tNaN',
      't8640000000000000',
      't8640000000000001',
      't-8640000000000000',
      't1e30',
      't',
    ),
    oddText.map((text) => text.slice(0, 40)),
  );
  const version = fc.constantFrom('1', '1', '1', '1', '0', '2', '', 'x');
  await check(
    1200,
    fc.tuple(
      list,
      version,
      fc.oneof(fc.constantFrom(...listBuckets), bucket),
      fc.array(word, { maxLength: 4 }),
      direction,
    ),
    async ([{ table, owner, ask }, first, second, rest, page]) => {
      const cursor = forge(`${table} ${owner}`, [first, second, ...rest]);
      const { codes } = await client.post({ query: ask(`${page}: "${cursor}"`) });
      expect(codes.filter((code) => code !== 'BAD_USER_INPUT')).toEqual([]);
    },
  );
});

test('any id, name and value of a variable is answered or refused', async () => {
  const query = `query ($s: String!, $id: ID!, $ids: [ID!]!, $n: Int, $day: Date!, $order: TweetOrder!) {
    user(username: $s) { id } userByTwitterAccount(twitterAccount: $s) { id } tweet(tweetId: $s) { id } node(id: $id) { id }
    nodes(ids: $ids) { id } tweetsOfDay(day: $day, first: $n, after: $s) { nodes { id } }
    ada: user(username: "ada") { tweets(last: $n, before: $s, order: $order) { nodes { id } } followers(first: $n) { nodes { id } } }
  }`;
  const right = {
    s: 'ada',
    id: encodeNodeId('User', '1'),
    ids: [],
    n: 1,
    day: '2026-01-01',
    order: 'NEWEST',
  };
  const id = fc.oneof(
    oddValue,
    fc
      .tuple(fc.constantFrom('User', 'Tweet', 'user', 'Node', 'Query', '', ...prototypeKeys), oddText)
      .map(([type, own]) => encodeNodeId(type, own)),
  );
  const day = fc.oneof(
    oddValue,
    fc
      .tuple(fc.nat(99_999), fc.nat(14), fc.nat(35))
      .map((parts) => parts.map((n) => String(n).padStart(2, '0')).join('-')),
  );
  const ids = fc.oneof(oddValue, fc.array(id, { maxLength: 120 }));
  await check(
    400,
    fc.record(
      { s: oddValue, id, ids, n: oddValue, day, order: oddValue, more: oddValue },
      { requiredKeys: [] },
    ),
    async (wrong) => {
      for (const [name, value] of Object.entries(wrong))
        await client.post({ query, variables: { ...right, [name]: value } });
      await client.post({ query, variables: { ...right, ...wrong } });
    },
  );
});

describe('a mutation', () => {
  // By users, of whom one deletes and unfollows what the others have; by an identity that may sign up; by a service; by nobody.
  const callers = ['1', '2', '3', 'an identity', 'service', null];
  const caller = fc.constantFrom(...callers);

  test('of any document is answered or refused', async () => {
    let done = 0;
    const variables = fc.record({ n: oddValue, s: oddValue, b: oddValue }, { requiredKeys: [] });
    await check(
      500,
      fc.tuple(caller, documentsOf(schema, 'mutation'), variables),
      async ([who, query, given]) => {
        const { data, codes } = await client.post({ query, variables: given }, who);
        if (data != null && codes.length === 0) done++;
      },
    );
    expect(done).toBeGreaterThan(TRIED * 10);
  });

  test('with any values of variables is answered or refused', async () => {
    const field = (right: string, value: fc.Arbitrary<unknown> = oddValue) =>
      fc.oneof({ weight: 2, arbitrary: fc.constant(right) }, value);
    const id = fc.oneof(
      fc.constantFrom(
        ...['User', 'Tweet'].flatMap((type) => ['1', '2', '100', '7'].map((n) => encodeNodeId(type, n))),
      ),
      oddValue,
    );
    const location = fc.oneof(
      fc.record({ latitude: fc.double(), longitude: fc.double(), country: oddText }, { requiredKeys: [] }),
      oddValue,
    );
    const inputs = {
      createUser: fc.record(
        {
          username: field('somebody'),
          name: field('A name'),
          description: oddText,
          twitterAccount: field('somebody_t'),
          idempotencyKey: field('key'),
        },
        { requiredKeys: ['username', 'name'] },
      ),
      updateUser: fc.record(
        { name: field('A name'), description: oddText, twitterAccount: field('another_t'), more: oddValue },
        { requiredKeys: [] },
      ),
      createTweet: fc.record(
        {
          content: field('Some words', oddText),
          inReplyTo: id,
          quotes: id,
          language: field('en'),
          location,
          idempotencyKey: field('key'),
        },
        { requiredKeys: ['content'] },
      ),
    };
    const cases = fc.oneof(
      ...(['createUser', 'updateUser', 'createTweet'] as const).map((name) =>
        inputs[name].map((input) => ({ name, variables: { input } })),
      ),
      fc.record({
        name: fc.constantFrom(
          ...(['followUser', 'unfollowUser', 'deleteTweet', 'likeTweet', 'unlikeTweet'] as const),
          ...(['shareTweet', 'unshareTweet'] as const),
        ),
        variables: fc.record({ id }),
      }),
    );
    await check(500, fc.tuple(caller, cases), ([who, { name, variables }]) =>
      client.post({ query: mutations[name], variables }, who),
    );
  });
});
