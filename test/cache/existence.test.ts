import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { follow, person, tweet } from '../support/harness';
import { put } from '../support/mutations';
import { far, near, until } from './network';

/** A query for a user with fields that need no more of it than its id. */
const listsOf = (id: string) => `{ node(id: "${encodeNodeId('User', id)}") { id ... on User {
  userId followerCount followers(first: 1) { nodes { id } } } } }`;
const namesOf = (id: string) => `{ node(id: "${encodeNodeId('User', id)}") { ... on User { name } } }`;
const statementsOf = async (source: string, who: string | null = null) => {
  const { data, reads, errors } = await far.query(source, {}, who);
  expect(errors).toEqual([]);
  return { data, statements: reads.map(({ statement }) => statement) };
};

test('a user is read for its name, also if a page of its tweets was read before', async () => {
  await statementsOf(listsOf('2'));
  for (const name of ['Once', 'Twice']) {
    await put(near, '2', 'updateUser', { name });
    expect((await statementsOf(namesOf('2'), '2')).data).toEqual({ node: { name } });
  }
  const mixed = `query ($id: ID!, $named: Boolean!) { node(id: $id) { ... on User { userId ...names @include(if: $named) } } }
    fragment names on User { shown: name }`;
  for (const named of [true, false, true]) {
    const variables = { id: encodeNodeId('User', '2'), named };
    expect((await far.query(mixed, variables, '2')).data).toEqual({
      node: { userId: '2', ...(named && { shown: 'Twice' }) },
    });
  }
});

test('fragments on interfaces, aliases and several nodes are read as the first time', async () => {
  const ids = ['5', '404', '6'].map((id) => encodeNodeId('User', id));
  const source = `query ($ids: [ID!]!, $id: ID!) {
    nodes(ids: $ids) { ... on Node { id } ... on User { userId } }
    also: node(id: $id) { ... on Node { ... on User { theirs: username } } }
    node(id: $id) { ... on Node { id ... on User { userId } } } }`;
  const variables = { ids, id: ids[0] };
  const expected = {
    nodes: [{ id: ids[0], userId: '5' }, null, { id: ids[2], userId: '6' }],
    also: { theirs: 'user5' },
    node: { id: ids[0], userId: '5' },
  };
  for (let n = 0; n < 3; n++) expect((await far.query(source, variables, null)).data).toEqual(expected);
});

test('a name within fragments that use each other twice is read with the user', async () => {
  const fragments = Array.from(
    { length: 3 },
    (_, n) => `fragment f${n} on User { userId ...f${n + 1} ...f${n + 1} }`,
  );
  const source = `{ node(id: "${encodeNodeId('User', '7')}") { ...f0 } } ${fragments.join(' ')} fragment f3 on User { name }`;
  for (let n = 0; n < 2; n++)
    expect((await statementsOf(source)).data).toEqual({ node: { userId: '7', name: 'The user7' } });
});

test('a user who was never there is null, however often it is asked for', async () => {
  for (let n = 0; n < 3; n++) expect((await statementsOf(listsOf('404'))).data).toEqual({ node: null });
});

test('the lists of a caller whose token was seen before need no row of its user', async () => {
  const source = '{ viewer { userId tweets(first: 1) { nodes { tweetId } } } }';
  await until(async () => {
    const { data, statements } = await statementsOf(source, '3');
    expect(data).toEqual({ viewer: { userId: '3', tweets: { nodes: [{ tweetId: '103' }] } } });
    return !statements.includes('users.get');
  });
  expect((await statementsOf('{ viewer { username } }', '3')).data).toEqual({
    viewer: { username: 'user3' },
  });
});

describe('a user of whom nothing is kept', () => {
  const pageOf = (id: string, page: string) =>
    `{ node(id: "${encodeNodeId('User', id)}") { ... on User { userId theirs: ${page} { nodes { tweetId } } } } }`;
  const ask = (source: string) => far.query(source, {}, null);

  beforeAll(() =>
    near.store([
      ...Array.from({ length: 10 }, (_, n) => person(`${n + 20}`, `silent${n + 20}`)),
      follow('23', '4'),
    ]),
  );
  // Whoever asks for fresh rows is shown nothing that the server has kept.
  const freshly = async (source: string, variables: Readonly<Record<string, unknown>> = {}) => {
    const { body } = await far.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'cache-control': 'no-cache', 'x-explain': 'true' },
      payload: { query: source, variables },
    });
    const { extensions, ...answer } = JSON.parse(body) as {
      readonly data: unknown;
      readonly extensions: {
        readonly explain: readonly { statement: string; paths: string[]; keys: number }[];
      };
    };
    const keys = Object.fromEntries(extensions.explain.map((one) => [one.statement, one.keys]));
    return {
      answer,
      reads: extensions.explain.map(({ statement, paths }) => [statement, paths] as const),
      keys,
    };
  };

  test('is not read if a page of its tweets has some', async () => {
    const { answer, reads } = await freshly(pageOf('4', 'tweets(first: 1)'));
    expect(answer).toEqual({ data: { node: { userId: '4', theirs: { nodes: [{ tweetId: '104' }] } } } });
    expect(reads).toEqual([['tweets_by_author.page', ['node.theirs']]]);
  });

  test('is not read if a page of its timeline has some', async () => {
    const { data, reads, errors } = await far.query(pageOf('23', 'timeline'), {}, 'service');
    expect(errors).toEqual([]);
    expect(data).toEqual({ node: { userId: '23', theirs: { nodes: [{ tweetId: '104' }] } } });
    expect(reads.map(({ statement, paths }) => [statement, paths])).toEqual([
      ['timelines_by_user.page', ['node.theirs']],
    ]);
  });

  test('is not read if variables ask for such a page, by default or with null', async () => {
    const source = `query ($first: Int = 1, $after: String, $order: TweetOrder! = NEWEST) {
      node(id: "${encodeNodeId('User', '4')}") {
        ... on User { tweets(first: $first, after: $after, order: $order) { nodes { tweetId } pageInfo { endCursor } } }
      }
    }`;
    const page = { nodes: [{ tweetId: '104' }], pageInfo: { endCursor: expect.any(String) as string } };
    let after: string | undefined;
    for (const variables of [{}, { first: null, after: null }, { first: 2, order: 'NEWEST' }]) {
      const { answer, reads } = await freshly(source, variables);
      expect(answer).toEqual({ data: { node: { tweets: page } } });
      expect(reads).toEqual([['tweets_by_author.page', ['node.tweets']]]);
      after = (answer.data as { node: { tweets: typeof page } }).node.tweets.pageInfo.endCursor;
    }
    const { answer } = await freshly(source, { after });
    expect(answer).toMatchObject({ data: { node: { tweets: { nodes: [] } } } });
  });

  test('is read after an empty page, which is not read again', async () => {
    const { answer, reads } = await freshly(pageOf('20', 'tweets(first: 1)'));
    expect(answer).toEqual({ data: { node: { userId: '20', theirs: { nodes: [] } } } });
    expect(reads).toEqual([
      ['tweets_by_author.page', ['node.theirs']],
      ['users.get', ['node']],
    ]);
  });

  test('is null without a row, whatever its lists are asked for', async () => {
    for (const page of ['tweets(first: 1)', 'tweets(order: MOST_LIKED)', 'tweets(first: 0)', 'timeline'])
      expect((await freshly(pageOf('404', page))).answer).toEqual({ data: { node: null } });
    expect((await far.query(pageOf('404', 'timeline'), {}, 'service')).data).toEqual({ node: null });
  });

  test('is null after an import has merged it into another one, which removes its lists first', async () => {
    const twice = { username: 'twice' };
    await near.store([
      { ...tweet('300', ''), author: twice },
      { kind: 'follow', follower: twice, followee: { userId: '4' } },
    ]);
    const { data } = await near.query('{ user(username: "twice") { userId } }');
    const { userId } = (data as { user: { userId: string } }).user;
    const asked = async (page: string) => (await far.query(pageOf(userId, page), {}, 'service')).data;
    expect(await asked('tweets')).toEqual({ node: { userId, theirs: { nodes: [{ tweetId: '300' }] } } });
    await near.store([person('31', 'twice')]);
    expect(await asked('timeline')).toEqual({ node: null });
    expect(await asked('tweets')).toEqual({ node: null });
  });

  test('has the errors of its pages where they belong', async () => {
    const wrong = await ask(pageOf('4', 'tweets(first: 0)'));
    expect(wrong.errors).toMatchObject([
      { path: ['node', 'theirs'], extensions: { code: 'BAD_USER_INPUT' } },
    ]);
    for (const id of ['4', '21']) {
      const { data, errors } = await ask(pageOf(id, 'timeline'));
      expect(data).toEqual({ node: { userId: id, theirs: null } });
      expect(errors).toMatchObject([{ path: ['node', 'theirs'], extensions: { code: 'FORBIDDEN' } }]);
    }
  });

  test('is read if a directive leaves the page out, wherever that stands, and only then', async () => {
    for (const page of ['tweets(first: 1) @include(if: false)', 'timeline @skip(if: true)']) {
      const { reads } = await freshly(pageOf('4', page));
      expect(reads).toEqual([['users.get', ['node']]]);
    }
    const user = `node(id: "${encodeNodeId('User', '4')}")`;
    for (const shown of [false, true, false]) {
      const { reads } = await freshly(
        `query ($shown: Boolean = false) { ${user} { ... on User { userId ...page @include(if: $shown) } } }
       fragment page on User { tweets { nodes { tweetId } } }`,
        { shown },
      );
      expect(reads).toEqual([shown ? ['tweets_by_author.page', ['node.tweets']] : ['users.get', ['node']]]);
    }
  });

  test('is read first if the query selects more, which would have to wait for the page', async () => {
    for (const more of [
      'followerCount',
      'last: tweets(last: 1) { nodes { tweetId } }',
      'tweets { nodes { id } }',
    ]) {
      const { reads } = await freshly(
        `{ node(id: "${encodeNodeId('User', '4')}") { ... on User { theirs: tweets(first: 1) { nodes { tweetId } } ${more} } } }`,
      );
      expect(reads[0]).toEqual(['users.get', ['node']]);
    }
  });

  test('is read together with others without tweets, however the page is asked for', async () => {
    const ids = ['4', '22', '404', '5'].map((id) => encodeNodeId('User', id));
    const { answer, reads, keys } = await freshly(
      `{ nodes(ids: ${JSON.stringify(ids)}) { ... on Node { id } ... on Tweet { likeCount } ...page } }
       fragment page on User { a: tweets(first: 1) { edges { node { tweetId } } pageInfo { hasNextPage } } }`,
    );
    const a = (tweetIds: readonly string[]) => ({
      edges: tweetIds.map((tweetId) => ({ node: { tweetId } })),
      pageInfo: { hasNextPage: false },
    });
    const [first, second, , last] = ids;
    expect(answer).toEqual({
      data: {
        nodes: [{ id: first, a: a(['104']) }, { id: second, a: a([]) }, null, { id: last, a: a(['105']) }],
      },
    });
    expect(reads.map(([statement]) => statement)).toEqual(['tweets_by_author.page', 'users.get']);
    // Of the second and the third user, whose pages have no items.
    expect(keys).toEqual({ 'tweets_by_author.page': 4, 'users.get': 2 });
  });
});
