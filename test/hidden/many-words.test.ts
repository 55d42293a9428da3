import { HIDDEN, hiddenByUser, MAX_MUTED_WORDS } from '../../src/features/hidden/hidden.table';
import { keyOfMuted } from '../../src/features/hidden/sight/muted-words';
import { writeOf } from '../../src/kit/cassandra/write';
import { putAll } from '../../src/kit/writes/row-writer';
import { wordIdOf } from '../../src/write/hidden/set-muted';
import { person, startHarness, type Harness } from '../support/harness';
import { act, mutations } from '../support/mutations';

const ADA = '1';
/** How many words more than one may have requests of the same moment have muted. */
const SURPLUS = 30;

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([person(ADA, 'ada')]);
  const words = Array.from({ length: MAX_MUTED_WORDS + SURPLUS }, (_, n) => `word${n}`);
  const writes = words.map((text, n) =>
    writeOf(hiddenByUser, {
      ...{ viewerId: ADA, kind: HIDDEN.word, targetId: wordIdOf(keyOfMuted(text)) },
      ...{ hiddenAt: new Date(Date.UTC(2026, 0, 1, 0, n)), words: text },
    }),
  );
  await putAll(server.writeServices.bulk(), writes);
});
afterAll(() => server.close());

/** The muted words, newest first, and what the answer had at most, as the server computed it before. */
async function mutedWords() {
  const query = '{ viewer { mutedWords { id text until } } }';
  const { data, extensions } = JSON.parse((await server.post(JSON.stringify({ query }), ADA)).body) as {
    data: { viewer: { mutedWords: readonly { id: string; text: string }[] } };
    extensions: { cost: { boundOfNodes: number; boundOfValues: number } };
  };
  const { boundOfNodes, boundOfValues } = extensions.cost;
  return { words: data.viewer.mutedWords, bounds: { boundOfNodes, boundOfValues } };
}

test('the bound of an answer counts the muted words that one may have, and no more are listed', async () => {
  const { words, bounds } = await mutedWords();
  expect(words.map(({ text }) => text)).toEqual(
    Array.from({ length: MAX_MUTED_WORDS }, (_, n) => `word${MAX_MUTED_WORDS + SURPLUS - 1 - n}`),
  );
  // Each has three values, and so are the viewer and the list.
  expect(bounds).toEqual({ boundOfNodes: MAX_MUTED_WORDS, boundOfValues: 3 * MAX_MUTED_WORDS + 2 });
});

test('whoever has as many muted words as one may can change and remove them, and mutes no others', async () => {
  const refused = await server.query(mutations.muteWords, { input: { text: 'other' } }, ADA);
  expect(refused.errors).toMatchObject([
    {
      message: 'A user can have at most 200 muted words, and this one already has that many.',
      extensions: { code: 'BAD_USER_INPUT' },
    },
  ]);
  // One that has ended is no word of the user's any more, although its row stays for a while.
  const { query, params } = writeOf(hiddenByUser, {
    ...{ viewerId: ADA, kind: HIDDEN.word, targetId: wordIdOf(keyOfMuted('ended')), words: 'ended' },
    ...{ hiddenAt: new Date(Date.UTC(2025, 0)), until: new Date(Date.now() - 60_000) },
  });
  await server.database.write(query, params);
  const again = await server.query(mutations.muteWords, { input: { text: 'ended' } }, ADA);
  expect(again.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }]);
  await act(server, ADA, 'muteWords', { input: { text: 'Word7', exceptFollowed: true } });
  for (let n = 0; n <= SURPLUS; n++) {
    const [newest] = (await mutedWords()).words;
    await act(server, ADA, 'unmuteWords', { id: newest?.id });
  }
  await act(server, ADA, 'muteWords', { input: { text: 'other' } });
  const { words } = await mutedWords();
  expect(words).toHaveLength(MAX_MUTED_WORDS);
  expect(words[0]).toMatchObject({ text: 'other' });
});
