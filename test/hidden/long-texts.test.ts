import { setImmediate as turn } from 'node:timers/promises';
import { tweetHiding } from '../../src/features/hidden/hiding';
import { createSight } from '../../src/features/hidden/sight/sight';
import { searchedWords } from '../../src/features/search/words';
import { createLoad } from '../../src/kit/reads/load';
import { person, startHarness, type Harness } from '../support/harness';
import { act, plain } from '../support/mutations';

const [ADA, BO] = ['1', '2'];
const TEXTS = 40;
const LENGTH = 2000;
/** So many texts of this length are looked into in a turn of the event loop. */
const MOST = 4;

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([person(ADA, 'ada'), person(BO, 'bo')]);
  await act(server, ADA, 'muteWords', { input: { text: 'rain' } });
});

/** Long tweets, of which each tells the first time that its text is looked into, rather than its length. */
function longTweets(onLook: () => void) {
  return Array.from({ length: TEXTS }, (_, n) => {
    const words = `東京塔 tweet${n} ${n % 2 === 0 ? 'rain' : 'sun'} `;
    const content = words + 'x'.repeat(LENGTH - words.length);
    let asked = 0;
    return {
      ...{ ...plain, tweetId: String(n + 1), authorId: BO, createdAt: new Date(), rootId: null },
      get content() {
        // The first look is at its length.
        if (++asked === 2) onLook();
        return content;
      },
    };
  });
}

/** Does something that looks into all texts. Resolves to how many of them it looks into in one turn at most. */
async function mostInTurn(work: (tweets: ReturnType<typeof longTweets>) => Promise<unknown>) {
  let [looked, before, most] = [0, 0, 0];
  const done = work(longTweets(() => looked++)).then(() => true);
  while (!(await Promise.race([done, turn(false)]))) {
    most = Math.max(most, looked - before);
    before = looked;
  }
  expect(looked).toBe(TEXTS);
  return most;
}

test('a page looks for muted words in a few long texts in each turn of the event loop', async () => {
  const load = createLoad(server.database);
  const viewer = { caller: { kind: 'person', issuer: '', subject: ADA }, userId: () => Promise.resolve(ADA) };
  const context = { load, sight: createSight(load, viewer as never), reserve: () => Promise.resolve() };
  const hiding = tweetHiding.open(context, 'TIMELINE');
  let hidden = 0;
  const most = await mostInTurn(async (tweets) => {
    await hiding?.learn(tweets);
    hidden = tweets.filter((tweet) => hiding?.hides(tweet)).length;
  });
  expect(hidden).toBe(TEXTS / 2);
  expect(most).toBe(MOST);
});

test('a search looks into a few long texts in each turn of the event loop', async () => {
  const { lookIn } = searchedWords(['東京塔']);
  const load = createLoad(server.database);
  expect(await mostInTurn((tweets) => Promise.all(tweets.map(async (tweet) => lookIn(tweet, load))))).toBe(
    MOST,
  );
});
