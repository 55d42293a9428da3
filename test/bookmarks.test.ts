import { encodeNodeId } from '../src/kit/graphql/global-id';
import { MAX_FOLDERS } from '../src/features/bookmark/bookmark.table';
import { person, startHarness, tweet, type Harness } from './support/harness';
import { act, codesOf, send } from './support/mutations';
import { randomIntFrom } from './support/random-int';

const tweetNode = (tweetId: string) => encodeNodeId('Tweet', tweetId);

interface Shown {
  readonly tweetId: string;
  readonly node: { readonly tweetId: string } | null;
  readonly hiddenReason: string | null;
  readonly folder: string | null;
}

let server: Harness;
beforeAll(async () => {
  server = await startHarness({}, undefined, { lists: { fullRows: 40, rowsPerCheck: 10, effectiveMs: 0 } });
  await server.store([
    ...['ada', 'bo', 'cy', 'dee', 'eve', 'fay'].map((name, n) => person(String(n + 1), name)),
    ...Array.from({ length: 130 }, (_, n) => tweet(String(100 + n), '2', n)),
    tweet('300', '3', 1, { sharedTweetId: '100' }),
  ]);
});

const mark = (who: string, id: string, folder?: string | null) =>
  act(server, who, 'bookmarkTweet', { id: tweetNode(id), ...(folder !== undefined && { folder }) });
const unmark = (who: string, id: string) => act(server, who, 'removeBookmark', { id: tweetNode(id) });

const NAMES = ['ada', 'bo', 'cy', 'dee', 'eve', 'fay'];

/** The bookmarks that a user sees of itself, and the folders with their counts. */
async function shown(
  who: string,
  folder?: string,
): Promise<{ list: Shown[]; folders: Record<string, number> }> {
  const source = `query ($name: String!, $folder: String) { user(username: $name) {
    bookmarks(folder: $folder, first: 100) { edges { tweetId node { tweetId } hiddenReason folder } }
    bookmarkFolders { name count } } }`;
  const variables = { name: NAMES[Number(who) - 1], folder };
  const { data, errors } = await server.query(source, variables, who);
  expect(errors).toEqual([]);
  const { user } = data as {
    user: { bookmarks: { edges: Shown[] }; bookmarkFolders: { name: string; count: number }[] };
  };
  return {
    list: user.bookmarks.edges,
    folders: Object.fromEntries(user.bookmarkFolders.map(({ name, count }) => [name, count])),
  };
}
const idsIn = (list: readonly Shown[]) => list.map(({ tweetId }) => tweetId);

test('bookmarks are the newest first, whatever is repeated, and a share is its original', async () => {
  for (const id of ['101', '300', '102', '101']) await mark('1', id);
  expect(idsIn((await shown('1')).list)).toEqual(['102', '100', '101']);
  expect(await unmark('1', '300')).toEqual({ tweetId: '100' });
  for (const id of ['101', '101', '105']) await unmark('1', id);
  expect(idsIn((await shown('1')).list)).toEqual(['102']);
  await mark('1', '101');
  expect(idsIn((await shown('1')).list)).toEqual(['101', '102']);
});

test('a page tells which tweets the viewer has bookmarked by one request of one partition', async () => {
  await mark('3', '110');
  const source = '{ user(username: "bo") { tweets(first: 50) { nodes { tweetId viewerHasBookmarked } } } }';
  const marked = async (who: string | null) => {
    const { data, reads } = await server.query(source, {}, who);
    const { user } = data as {
      user: { tweets: { nodes: { tweetId: string; viewerHasBookmarked: boolean }[] } };
    };
    const found = user.tweets.nodes.filter((one) => one.viewerHasBookmarked).map(({ tweetId }) => tweetId);
    return { found, requests: reads.filter(({ table }) => table === 'bookmarks').length };
  };
  await mark('3', '200');
  expect(await marked('3')).toEqual({ found: ['200'], requests: 1 });
  expect(await marked('4')).toEqual({ found: [], requests: 1 });
  expect(await marked(null)).toEqual({ found: [], requests: 0 });
  await mark('3', '100');
  const ofShare = '{ tweet(tweetId: "300") { viewerHasBookmarked } }';
  expect((await server.query(ofShare, {}, '3')).data).toEqual({ tweet: { viewerHasBookmarked: true } });
});

test('a bookmark is in one folder: another one moves it, none takes it out', async () => {
  await mark('4', '101', ' Tea  time ');
  await mark('4', '102', 'TEA TIME');
  await mark('4', '103', 'Cafe\u0301');
  const { list, folders } = await shown('4');
  expect(list.map(({ tweetId, folder }) => [tweetId, folder])).toEqual([
    ['103', 'Café'],
    ['102', 'Tea time'],
    ['101', 'Tea time'],
  ]);
  expect(folders).toEqual({ 'Tea time': 2, Café: 1 });
  await mark('4', '101', 'café');
  expect(idsIn((await shown('4', 'tea time')).list)).toEqual(['102']);
  expect(idsIn((await shown('4', 'CAFÉ')).list)).toEqual(['103', '101']);
  await mark('4', '102');
  expect((await shown('4')).folders).toEqual({ 'Tea time': 1, Café: 2 });
  await mark('4', '102', null);
  expect((await shown('4')).folders).toEqual({ Café: 2 });
  expect(await shown('4', 'Tea time')).toMatchObject({ list: [] });
  for (const id of ['103', '101']) await unmark('4', id);
  expect((await shown('4')).folders).toEqual({});
  for (const folder of ['', ' ', '\u200b', 'x'.repeat(51), 'x'.repeat(300), '語'.repeat(200), 'a\u0000b'])
    expect([folder, await codesOf(server, '4', 'bookmarkTweet', { id: tweetNode('101'), folder })]).toEqual([
      folder,
      ['BAD_USER_INPUT'],
    ]);
});

test('a bookmark of a deleted or hidden tweet stays as a placeholder until it is removed', async () => {
  await mark('5', '228', 'kept');
  await mark('5', '227');
  await act(server, '2', 'deleteTweet', { id: tweetNode('228') });
  const gone = { tweetId: '228', node: null, hiddenReason: 'DELETED', folder: 'kept' };
  const there = { tweetId: '227', node: { tweetId: '227' }, hiddenReason: null, folder: null };
  expect((await shown('5')).list).toEqual([there, gone]);
  expect(await codesOf(server, '5', 'bookmarkTweet', { id: tweetNode('228') })).toEqual(['NOT_FOUND']);
  const source = '{ viewer { bookmarks(folder: "kept") { edges { nodeId } } } }';
  const { data } = await server.query(source, {}, '5');
  const [edge] = (data as { viewer: { bookmarks: { edges: { nodeId: string }[] } } }).viewer.bookmarks.edges;
  await act(server, '5', 'removeBookmark', { id: edge?.nodeId });
  expect(await shown('5')).toEqual({ list: [there], folders: {} });
});

test('a tweet that never was has no bookmark to remove, also the one whose row has the folders', async () => {
  await mark('5', '229', 'folder');
  for (const id of ['0', '999999'])
    expect([id, await codesOf(server, '5', 'removeBookmark', { id: tweetNode(id) })]).toEqual([
      id,
      ['NOT_FOUND'],
    ]);
  await unmark('5', '229');
});

test('nobody else sees bookmarks', async () => {
  const source = '{ user(username: "ada") { bookmarkFolders { name } bookmarks { nodes { tweetId } } } }';
  for (const who of ['2', null]) {
    const { data, errors } = await server.query(source, {}, who);
    expect(data).toEqual({ user: { bookmarkFolders: null, bookmarks: null } });
    expect(errors.map(({ extensions }) => extensions.code)).toEqual(['FORBIDDEN', 'FORBIDDEN']);
  }
});

test('a user has at most a hundred folders, whoever is first of many at once', async () => {
  const tries = Array.from({ length: MAX_FOLDERS + 10 }, (_, n) => ({
    id: String(100 + n),
    folder: `f${n}`,
  }));
  const other = await startHarness({}, server);
  const answers = await Promise.all(
    tries.map(({ id, folder }, n) =>
      send(n % 2 === 0 ? server : other, '6', 'bookmarkTweet', { id: tweetNode(id), folder }),
    ),
  );
  const codes = answers.flatMap(({ errors }) => errors.map(({ extensions }) => extensions.code));
  expect(codes).toEqual(Array.from({ length: 10 }, () => 'BAD_USER_INPUT'));
  const { folders } = await shown('6');
  expect(Object.values(folders)).toEqual(Array.from({ length: MAX_FOLDERS }, () => 1));
  // The last bookmark of a folder ends it, which makes room for another one.
  const [first = ''] = Object.keys(folders);
  const moved = tries.find(({ folder }) => folder === first)?.id ?? '';
  await mark('6', moved, 'another');
  expect(Object.keys((await shown('6')).folders)).toContain('another');
  expect(await codesOf(server, '6', 'bookmarkTweet', { id: tweetNode('229'), folder: 'more' })).toEqual([
    'BAD_USER_INPUT',
  ]);
});

test('lists, folders and counts are those of random acts, many of them at once', async () => {
  const random = randomIntFrom(39);
  const folders = ['', 'a', 'b', 'c'];
  const model = new Map<string, string>();
  for (let round = 0; round < 20; round++) {
    const acts = new Map<string, string | null>();
    for (let n = 0; n < 6; n++)
      acts.set(String(130 + random(25)), random(4) === 0 ? null : (folders[random(4)] ?? ''));
    await Promise.all(
      [...acts].map(([id, folder]) =>
        folder === null ? unmark('2', id) : mark('2', id, folder === '' ? null : folder),
      ),
    );
    for (const [id, folder] of acts) {
      if (folder === null) model.delete(id);
      else model.set(id, folder);
    }
  }
  await server.writeServices.outbox.idle();
  const { list, folders: counted } = await shown('2');
  expect(idsIn(list).sort()).toEqual([...model.keys()].sort());
  for (const { tweetId, folder } of list) expect(folder ?? '').toBe(model.get(tweetId));
  for (const folder of ['a', 'b', 'c']) {
    const own = [...model].filter(([, one]) => one === folder).map(([id]) => id);
    expect(idsIn((await shown('2', folder)).list).sort()).toEqual(own.sort());
    expect(counted[folder] ?? 0).toBe(own.length);
  }
});
