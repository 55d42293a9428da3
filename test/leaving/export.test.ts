import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { tables, writeFeatures } from '../../src/app';
import { deriveId } from '../../src/import/records/derive';
import { openExport } from '../../src/import/own/read-export';
import { jobs } from '../../src/jobs/all';
import { recount } from '../../src/jobs/recount';
import { accountExports, exportChunks } from '../../src/features/account/account.table';
import { findId, keepingIds } from '../../src/jobs/find-id';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { collectExport } from '../../src/write/account/collect-export';
import { beginExport, findExport, removeExport } from '../../src/write/account/decide-export';
import { writeStoredExport } from '../../src/write/account/stored-export';
import { exportedParts } from '../../src/write/account/write-export';
import { decideDeletion } from '../../src/write/account/request-deletion';
import { authorization, person, startHarness, tweet, type Harness } from '../support/harness';
import { isLong } from '../support/long';
import { act, ask, post, put, type Mutation, type Person, type Variables } from '../support/mutations';
import { importExportsInto, writeExportTo } from './export-files';
import { createNetwork, type Network } from './network';

/** How many random things people do: some in the suite, many with `npm run test:long`. */
const ACTS = isLong ? 10_000 : 120;
jest.setTimeout(isLong ? 3_600_000 : 600_000);

let from: Harness;
let to: Harness;
let folder: string;
let network: Network;

beforeAll(async () => {
  [from, to] = [await startHarness(), await startHarness()];
  folder = await mkdtemp(join(tmpdir(), 'murmuration-export-'));
  let seed = 11;
  const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
  network = await createNetwork(from, 6, random, 'person');
  await network.live(ACTS);
  const [one, other] = network.people;
  if (one === undefined || other === undefined) return;
  await act(from, one.userId, 'muteUser', {
    id: other.id,
    scope: ['SHARES', 'QUOTES'],
    until: '2099-01-01T00:00:00Z',
  });
  const input = { text: 'Green tea', where: ['SEARCH'], exceptFollowed: true, until: '2098-01-01T00:00:00Z' };
  await act(from, one.userId, 'muteWords', { input });
  const location = { latitude: 48.2, longitude: 16.4, country: 'Österreich' };
  const mute = await post(from, one.userId, { content: 'A <b>tweet</b> &amp; 🦉\u2028#owl', location });
  await act(from, one.userId, 'muteThread', { id: mute.id });
  await from.writeServices.outbox.idle();
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const exportTo = (name: string, { userId }: Pick<Person, 'userId'>, on = from) =>
  writeExportTo(join(folder, name), on, userId);
const importAll = (paths: readonly string[], into = to) => importExportsInto(into, paths, folder);

const TWEET =
  'tweetId content createdAt language hashtags mentions location { latitude longitude country } likeCount shareCount replyCount quoteCount inReplyTo { tweetId } quotedTweet { tweetId } sharedTweet { tweetId } viewerHasLiked viewerHasShared viewerHasBookmarked';
const PAGE = 'first: 100';

/** All that the API shows a person of itself, but for what follows from acts of others when they are done: notifications. */
async function shownTo(server: Harness, { userId }: Pick<Person, 'userId'>): Promise<unknown> {
  const shown = (await ask(
    server,
    `{ viewer {
      id userId username name description twitterAccount createdAt followerCount followingCount tweetCount
      tweets(${PAGE}) { nodes { ${TWEET} } } timeline(${PAGE}) { nodes { tweetId } }
      likes(${PAGE}) { nodes { tweetId } hiddenCount }
      following(${PAGE}) { edges { followedAt node { username } } } followers(${PAGE}) { edges { followedAt node { username } } }
      articles(${PAGE}) { nodes { title body tags publishedAt commentCount comments(${PAGE}) { nodes { body createdAt author { username } } } } }
      bookmarks(${PAGE}) { edges { tweetId hiddenReason bookmarkedAt folder } } bookmarkFolders { name count }
      blockedUsers(${PAGE}) { edges { blockedAt node { username } } }
      mutedUsers(${PAGE}) { edges { mutedAt until scope node { username } } }
      mutedWords { id text until exceptFollowed where }
    } }`,
    userId,
  )) as { viewer: { bookmarkFolders: { name: string }[] } };
  // Folders come in the order in which they began, and the first bookmark of a folder may be gone.
  shown.viewer.bookmarkFolders.sort((a, b) => (a.name < b.name ? -1 : 1));
  return shown;
}

test('the exports of everybody, imported where nobody is, bring back all that the API shows; again, they change nothing', async () => {
  const paths = [];
  for (const one of network.people) paths.push(await exportTo(`${one.username}.zip`, one));
  const first = await importAll(paths);
  expect(first).toMatchObject({ failed: [], rejected: 0, changed: 0 });
  for (const one of network.people) expect(await shownTo(to, one)).toEqual(await shownTo(from, one));
  const again = await importAll(paths);
  expect(again).toMatchObject({ failed: [], rejected: 0, read: first.read, stored: 0, changed: 0 });
  for (const one of network.people) expect(await shownTo(to, one)).toEqual(await shownTo(from, one));
  const wrong = [];
  for await (const difference of recount(to.database, () => undefined)) wrong.push(difference);
  expect(wrong).toEqual([]);
  for (const job of jobs) {
    const { missing, surplus, different, examples } = await job.verify(
      { database: to.database, retentionMonths: null },
      1000,
    );
    expect({ job: job.name, missing, surplus, different, examples }).toEqual({
      ...{ job: job.name, missing: 0, surplus: 0, different: 0, examples: [] },
    });
  }
});

test('people who only follow each other bring that along, wherever they are imported together', async () => {
  const [fan, idol] = await Promise.all(
    ['fan', 'idol'].map((username) => put(from, 'service', 'createUser', { username, name: username })),
  );
  if (fan === undefined || idol === undefined) throw new Error('there must be both');
  await act(from, fan.userId, 'followUser', { id: idol.id });
  const paths = [await exportTo('fan.zip', fan), await exportTo('idol.zip', idol)];
  expect(await importAll(paths)).toMatchObject({ failed: [], rejected: 0 });
  expect(await ask(to, '{ user(username: "fan") { following { nodes { username } } } }')).toEqual({
    user: { following: { nodes: [{ username: 'idol' }] } },
  });
});

const found = (server: Harness, username: string) =>
  ask(server, `{ user(username: "${username}") { userId name tweetCount } }`);

test('an export of a name or an id that is somebody else here is refused as a whole', async () => {
  const create = (on: Harness, username: string) =>
    put(on, 'service', 'createUser', { username, name: `The ${username}` });
  const [yan, zed] = [await create(from, 'yan'), await create(from, 'zed')];
  const paths = [await exportTo('yan.zip', yan), await exportTo('zed.zip', zed)];
  await create(to, 'Yan');
  await to.store([person(zed.userId, 'another')]);
  const before = [await found(to, 'yan'), await found(to, 'zed'), await found(to, 'another')];
  expect(await importAll(paths)).toMatchObject({
    failed: [
      expect.stringMatching(/^the username belongs to another user: yan is user \d+$/),
      `the export is of zed, but user ${zed.userId} is another here`,
    ],
    read: 0,
  });
  expect([await found(to, 'yan'), await found(to, 'zed'), await found(to, 'another')]).toEqual(before);
});

test('what was taken back here since is not brought back by an older export', async () => {
  const [ann, ben] = [await signUp('ann'), await signUp('ben')];
  const tweet = await post(from, ben.userId, { content: 'A tweet' });
  const own = await post(from, ann.userId, { content: 'Mine' });
  for (const name of ['likeTweet', 'shareTweet', 'bookmarkTweet'] as const)
    await act(from, ann.userId, name, { id: tweet.id });
  await act(from, ann.userId, 'followUser', { id: ben.id });
  await act(from, ann.userId, 'muteUser', { id: ben.id });
  await from.writeServices.outbox.idle();
  const path = await exportTo('ann.zip', ann);
  for (const name of ['unlikeTweet', 'unshareTweet', 'removeBookmark'] as const)
    await act(from, ann.userId, name, { id: tweet.id });
  await act(from, ann.userId, 'unfollowUser', { id: ben.id });
  await act(from, ann.userId, 'unmuteUser', { id: ben.id });
  await act(from, ann.userId, 'deleteTweet', { id: own.id });
  await from.writeServices.outbox.idle();
  const before = await shownTo(from, ann);
  expect(await importAll([path], from)).toMatchObject({ failed: [], rejected: 0, stored: 0, changed: 0 });
  expect(await shownTo(from, ann)).toEqual(before);
  // One that was ended by a block stays ended.
  await act(from, ben.userId, 'blockUser', { id: ann.id });
  await from.writeServices.outbox.idle();
  expect(await importAll([path], from)).toMatchObject({ failed: [], stored: 0, changed: 0 });
  expect(await ask(from, '{ user(username: "ann") { followingCount } }')).toEqual({
    user: { followingCount: 0 },
  });
});

test('texts that show nothing, as earlier imports took them, come back, but for those that may be missing', async () => {
  const ella = { ...person('811', 'ella'), name: '\u3164', description: '\u2800' };
  await from.store([ella, tweet('8101', '811', 0, { content: '\u200b' })]);
  const imported = await importAll([await exportTo('blank.zip', { userId: '811' })]);
  expect(imported).toMatchObject({ failed: [], rejected: 0 });
  const query = '{ user(username: "ella") { name description tweets { nodes { content } } } }';
  const tweets = { nodes: [{ content: '\u200b' }] };
  expect(await ask(to, query)).toEqual({ user: { name: 'ella', description: null, tweets } });
});

test('of an account that is being deleted, nothing is imported, and from when it is removed nothing is exported', async () => {
  const leaver = await signUp('leaver');
  const path = await exportTo('leaver.zip', leaver);
  await act(from, leaver.userId, 'deleteAccount', { confirm: 'leaver' });
  expect((await importAll([path], from)).failed).toEqual([
    'the account of leaver was deleted here, or is to be: nothing brings it back',
  ]);
  // While it waits, its user may still take along what is there.
  await exportTo('again.zip', leaver);
  await decideDeletion(from.database, leaver.userId, (before) => before && { ...before, state: 'started' });
  await expect(exportTo('late.zip', leaver)).rejects.toThrow('is being deleted');
  await expect(exportTo('none.zip', { ...leaver, userId: '77' })).rejects.toThrow('There is no user');
});

/** Gets the file of the export of somebody, over HTTP. */
const download = async (on: Harness, { userId }: Person) =>
  on.inject({ url: '/export', headers: { authorization: await authorization(userId) } });

/** The files of an export, without the manifest: each as one text. */
async function contentOf(path: string): Promise<Record<string, string[]>> {
  const opened = await openExport(path);
  const content: Record<string, string[]> = {};
  for (const { name } of exportedParts(writeFeatures)) {
    const lines: string[] = [];
    for await (const some of opened.lines(name)) lines.push(...some.map(({ text }) => text));
    content[name] = lines;
  }
  await opened.close();
  return content;
}

const EXPORT = '{ viewer { accountExport { state writtenRows path expiresAt } } }';

test('a user asks for an export, sees how far it is, and gets the file with the token', async () => {
  const [one, other] = network.people;
  if (one === undefined || other === undefined) throw new Error('there must be people');
  expect(await download(from, one)).toMatchObject({ statusCode: 404 });
  const asked = await act(from, one.userId, 'requestExport', {});
  expect(asked).toMatchObject({ accountExport: { path: null, state: 'RUNNING' } });
  await from.writeServices.outbox.idle();
  const shown = (await ask(from, EXPORT, one.userId)) as { viewer: { accountExport: object } };
  expect(shown.viewer.accountExport).toMatchObject({ state: 'COMPLETE', path: '/export' });
  const { statusCode, headers, rawPayload } = await download(from, one);
  expect({ statusCode, type: headers['content-type'] }).toEqual({ statusCode: 200, type: 'application/zip' });
  const path = join(folder, 'downloaded.zip');
  await writeFile(path, rawPayload);
  const content = await contentOf(path);
  expect(content).toEqual(await contentOf(await exportTo('direct.zip', one)));
  const rows = Object.values(content).reduce((sum, lines) => sum + lines.length, 0);
  expect(shown.viewer.accountExport).toMatchObject({ writtenRows: rows });
  // The same one, within a day.
  await act(from, one.userId, 'createTweet', { input: { content: 'After the export' } });
  expect(await act(from, one.userId, 'requestExport', {})).toMatchObject({
    accountExport: { state: 'COMPLETE', writtenRows: rows },
  });
  await from.writeServices.outbox.idle();
  // It is nobody else's.
  const { errors } = await from.query(
    `{ user(username: "${one.username}") { accountExport { path } } }`,
    {},
    other.userId,
  );
  expect(errors).toMatchObject([{ extensions: { code: 'FORBIDDEN' } }]);
  expect(await download(from, other)).toMatchObject({ statusCode: 404 });
  expect(await from.get('/export')).toMatchObject({ status: 401 });
  await removeExport(from.database, one.userId, 'user');
  expect(await ask(from, EXPORT, one.userId)).toEqual({ viewer: { accountExport: null } });
});

test('an export that is killed after any chunk goes on there, also where two servers write it', async () => {
  await from.store([
    person('801', 'chunky'),
    ...Array.from({ length: 45 }, (_, n) => tweet(String(8000 + n), '801', n)),
  ]);
  const one = { userId: '801' };
  await act(from, one.userId, 'muteWords', { input: { text: 'tea' } });
  const parts = exportedParts(writeFeatures);
  const expected = await contentOf(await exportTo('expected.zip', one));
  const begun = await beginExport(from.database, one.userId, 'command', 'first');
  // A chunk for each page. Every other time, the last one is stored and not recorded.
  const numbers: number[] = [];
  for (let isDone = false; !isDone;) {
    const found = await findExport(from.database, one.userId, 'command');
    isDone = found === null || found.finishedAt !== null;
    const known = numbers.length % 2 === 0 ? begun : (found ?? begun);
    if (!isDone)
      for await (const { chunks } of collectExport(from.database, parts, known, { chunkRows: 1 })) {
        numbers.push(chunks);
        break;
      }
  }
  // The profile, three pages of tweets, a word, and the end.
  expect(numbers).toEqual([1, 2, 3, 4, 5, 5]);
  const whole = async (name: string) => {
    const finished = await findExport(from.database, one.userId, 'command');
    if (finished === null) throw new Error('there must be an export');
    const path = join(folder, name);
    await writeStoredExport(from.database, parts, finished, Writable.toWeb(createWriteStream(path)));
    return contentOf(path);
  };
  expect(await whole('killed.zip')).toEqual(expected);
  // Whoever asks within a day gets the same one; what was removed leaves nothing.
  expect(await beginExport(from.database, one.userId, 'command', 'second')).toMatchObject({
    run: begun.run,
  });
  await removeExport(from.database, one.userId, 'command');
  const { run } = await beginExport(from.database, one.userId, 'command', 'third');
  expect(run).toBe('third');
  const two = await findExport(from.database, one.userId, 'command');
  if (two === null) throw new Error('there must be an export');
  // Each makes other chunks of the same lines, and comes second to some.
  const [slow, fast] = [1, 25].map((chunkRows) => collectExport(from.database, parts, two, { chunkRows }));
  for (const server of [slow, fast, fast, slow, slow, fast]) await server?.next();
  for (const server of [fast, slow]) for await (const _ of server ?? []);
  expect(await whole('together.zip')).toEqual(expected);
  await removeExport(from.database, one.userId, 'command');
  const left = [];
  for await (const { table, rows } of findId(from.database, [accountExports, exportChunks], {
    type: 'User',
    id: one.userId,
  }))
    left.push({ table, rows });
  expect(left).toEqual([
    { table: 'account_exports', rows: 0 },
    { table: 'export_chunks', rows: 0 },
  ]);
});

test('what somebody has done here under an id made of the name is kept when a profile gives another id', async () => {
  const [x, y, z] = [await signUp('xia'), await signUp('yun'), await signUp('zoe')];
  await from.store([
    { kind: 'follow', follower: { username: 'merged' }, followee: { userId: z.userId } },
    { ...tweet('9100', ''), author: { username: 'merged' } },
  ]);
  const old = { userId: deriveId('user', 'merged') };
  const [theirs, blockers] = [
    await post(from, z.userId, { content: 'Tea' }),
    await post(from, y.userId, { content: 'No' }),
  ];
  const does = (name: Mutation, variables: Variables) => act(from, old.userId, name, variables);
  for (const name of ['likeTweet', 'muteThread'] as const) await does(name, { id: theirs.id });
  await does('likeTweet', { id: blockers.id });
  await does('bookmarkTweet', { id: theirs.id, folder: 'Tea' });
  await does('muteUser', { id: z.id, until: '2099-01-01T00:00:00Z', scope: ['SHARES'] });
  await does('muteWords', { input: { text: 'coffee', where: ['SEARCH'] } });
  await does('blockUser', { id: x.id });
  const { article } = (await does('publishArticle', { input: { title: 'Tea', body: 'On tea' } })) as {
    article: { id: string };
  };
  for (const by of [old.userId, z.userId])
    await act(from, by, 'addComment', { input: { articleId: article.id, body: 'So it is' } });
  const node = encodeNodeId('User', old.userId);
  await act(from, z.userId, 'muteUser', { id: node, scope: ['REPLIES'] });
  await act(from, y.userId, 'blockUser', { id: node });
  await from.writeServices.outbox.idle();
  const shown = async (one: Pick<Person, 'userId'>) => {
    const { viewer } = (await shownTo(from, one)) as { viewer: Record<string, unknown> };
    const others = [];
    for (const { userId } of [x, y, z])
      others.push(
        await ask(
          from,
          `{ user(username: "merged") { viewerIsBlocking isBlockingViewer viewerIsMuting }
            viewer { blockedUsers { edges { blockedAt node { username } } } mutedUsers { edges { mutedAt scope node { username } } } } }`,
          userId,
        ),
      );
    const liked = await ask(
      from,
      `{ tweet(tweetId: "${theirs.tweetId}") { likeCount likers { edges { likedAt node { username } } } } }`,
    );
    // What the profile changes.
    const changed = ['id', 'userId', 'name', 'createdAt', 'twitterAccount'];
    const rest = Object.fromEntries(Object.entries(viewer).filter(([field]) => !changed.includes(field)));
    return { rest, others, liked };
  };
  const before = await shown(old);
  expect(before.rest).toMatchObject({ tweetCount: 1, bookmarkFolders: [{ name: 'Tea', count: 1 }] });
  await from.store([person('900', 'merged')]);
  await from.writeServices.outbox.idle();
  expect(await shown({ userId: '900' })).toEqual(before);
  const left = [];
  for await (const { table, examples } of findId(from.database, tables, { type: 'User', id: old.userId }))
    if (examples.length > 0 && keepingIds[table] === undefined) left.push(table);
  // Likes that were taken back, as of anybody who takes one back.
  expect(left).toEqual(['notification_groups', 'tallies']);
});

test('many exports at once are each whole', async () => {
  const [one] = network.people;
  if (one === undefined) throw new Error('there must be people');
  const names = Array.from({ length: 8 }, (_, n) => `many${n}.zip`);
  const paths = await Promise.all(names.map((name) => exportTo(name, one)));
  for (const path of paths) await (await openExport(path)).close();
});

function signUp(username: string): Promise<Person> {
  return put(from, 'service', 'createUser', { username, name: `The ${username}` });
}
