import { HIDDEN, hiddenByUser, MAX_MUTED, threadTarget } from '../../src/features/hidden/hidden.table';
import { keyOfMuted } from '../../src/features/hidden/sight/muted-words';
import { writeOf } from '../../src/kit/cassandra/write';
import { putAll } from '../../src/kit/writes/row-writer';
import {
  mute,
  muteThread,
  muteWords,
  readHidden,
  TOMBSTONES,
  unmute,
  unmuteThread,
  unmuteWords,
  wordIdOf,
} from '../../src/write/hidden/set-muted';
import { startHarness, type Harness } from '../support/harness';

let server: Harness;
let stories = 0;
let user = '';
beforeAll(async () => {
  server = await startHarness();
});
beforeEach(() => {
  user = String(++stories);
});
afterAll(() => server.close());

const KEY = keyOfMuted('green tea');
const ALWAYS = { until: null, scope: null };
const UNTIL = { until: new Date(Date.UTC(2099, 0, 1)), scope: ['SHARES'] };
const word = { text: 'green tea', key: KEY, exceptFollowed: true };

/** How each of these is muted, for ever or as long and as far as can be said, and unmuted, and whether it is muted. */
const kinds = [
  {
    kind: HIDDEN.mute,
    targetId: '99',
    begin: () => mute(server.database, user, '99', ALWAYS),
    limited: () => mute(server.database, user, '99', UNTIL),
    mostTombstones: TOMBSTONES.ofMute,
    end: () => unmute(server.database, user, '99'),
    isMuted: async () => (await readHidden(server.database, user)).mutes.has('99'),
  },
  {
    kind: HIDDEN.word,
    targetId: wordIdOf(KEY),
    begin: () => muteWords(server.database, user, { ...word, ...ALWAYS }),
    limited: () => muteWords(server.database, user, { ...word, ...UNTIL }),
    mostTombstones: TOMBSTONES.ofWord,
    end: () => unmuteWords(server.database, user, wordIdOf(KEY)),
    isMuted: async () => (await readHidden(server.database, user)).words.length > 0,
  },
  {
    kind: HIDDEN.thread,
    targetId: threadTarget('99'),
    begin: () => muteThread(server.database, user, '99'),
    end: () => unmuteThread(server.database, user, '99'),
    isMuted: async () => (await readHidden(server.database, user)).mutedThreads.has('99'),
  },
];

/** The columns of the user's only row that have a value, without those of its key. */
async function storedColumns(): Promise<number> {
  const rows = await server.database.run('SELECT * FROM hidden_by_user WHERE viewer_id = ?', [user]);
  expect(rows).toHaveLength(1);
  return Object.values(rows[0] ?? {}).filter((value) => value !== null).length - 3;
}

describe.each(kinds)('$kind', ({ kind, targetId, begin, limited, mostTombstones, end, isMuted }) => {
  /** A row as a server stores it whose clock is four seconds ahead. */
  const storeAhead = async (ended: boolean) => {
    const ahead = new Date(Date.now() + 4000);
    const row = { viewerId: user, kind, targetId, hiddenAt: ahead, changedAt: ahead, ended, words: 'tea' };
    const { query, params } = writeOf(hiddenByUser, row, { at: Number(ahead) * 1000 });
    await server.database.write(query, params);
  };

  test('is unmuted by a server whose clock is behind that of the one that muted it', async () => {
    await storeAhead(false);
    expect(await isMuted()).toBe(true);
    expect(await end()).toBe(true);
    expect(await isMuted()).toBe(false);
  });

  test('is muted by a server whose clock is behind that of the one that unmuted it', async () => {
    await storeAhead(true);
    expect(await isMuted()).toBe(false);
    await begin();
    expect(await isMuted()).toBe(true);
  });

  test('leaves as many tombstones as count as deletions', async () => {
    await (limited ?? begin)();
    expect(await isMuted()).toBe(true);
    if (mostTombstones !== undefined) expect(await storedColumns()).toBe(mostTombstones);
    expect(await end()).toBe(true);
    expect(await storedColumns()).toBe(TOMBSTONES.ofEnd);
    expect(await end()).toBe(false);
    await begin();
    expect(await isMuted()).toBe(true);
  });
});

test('a thread that an earlier version muted is unmuted', async () => {
  const row = { viewerId: user, kind: HIDDEN.thread, targetId: threadTarget('99'), hiddenAt: new Date() };
  const { query, params } = writeOf(hiddenByUser, row);
  await server.database.write(query, params);
  expect(await unmuteThread(server.database, user, '99')).toBe(true);
  expect((await readHidden(server.database, user)).mutedThreads.size).toBe(0);
});

test('no limit refuses a mute that is moved from another user, in whose place it is', async () => {
  const rows = Array.from({ length: MAX_MUTED }, (_, n) =>
    writeOf(hiddenByUser, {
      viewerId: user,
      kind: HIDDEN.mute,
      targetId: String(1000 + n),
      hiddenAt: new Date(),
    }),
  );
  await putAll(server.writeServices.bulk(), rows);
  await expect(mute(server.database, user, '99', ALWAYS)).rejects.toThrow('at most 2000');
  await mute(server.database, user, '99', ALWAYS, { isMoved: true });
  expect((await readHidden(server.database, user)).mutes.size).toBe(MAX_MUTED + 1);
});
