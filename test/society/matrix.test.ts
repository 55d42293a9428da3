import { isDeepStrictEqual } from 'node:util';
import { startHarness, type Harness } from '../support/harness';
import { isLong } from '../support/long';
import { Actors, beginRound } from './acts';
import { expectedOf } from './expected';
import type { Tweeted } from './model';
import { createDrawing } from './random';
import { look } from './surfaces';

/** How many acts are tried (`ACTS` of the long form), by people who are replaced by others after each round. */
const ACTS = isLong ? Number(process.env['ACTS'] ?? 10_000) : 120;
const ACTS_OF_ROUND = 120;
const ACTS_BETWEEN_LOOKS = isLong ? 30 : 60;
/** Of how many tweets everything is looked at, besides what lists have of all. */
const TWEETS_LOOKED_AT = 30;

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
});

test(
  'whatever people do and undo, everybody is shown what the rules say, on every surface',
  async () => {
    const drawing = createDrawing();
    const { seed, random } = drawing;
    let hidden = 0;
    for (let n = 0, number = 0; n < ACTS; number++) {
      const round = await beginRound(server, number);
      const actors = new Actors(server, round, drawing);
      for (let left = ACTS_OF_ROUND; left > 0; left--) {
        await actors.act();
        if (++n % ACTS_BETWEEN_LOOKS > 0) continue;
        await server.writeServices.outbox.idle();
        const { tweets, people } = round.society;
        const looked: Tweeted[] = tweets.filter(() => random(tweets.length) < TWEETS_LOOKED_AT);
        for (const who of [...people, null]) {
          const expected = expectedOf(round, looked, who);
          const shown = await look(server, round, looked, who);
          // Only what differs, to be read.
          const wrong = [...expected].filter(([name, value]) => !isDeepStrictEqual(value, shown.get(name)));
          expect([seed, n, who, wrong.map(([name]) => [name, shown.get(name)])]).toEqual([
            seed,
            n,
            who,
            wrong,
          ]);
          expect([...shown.keys()].sort()).toEqual([...expected.keys()].sort());
          hidden += looked.filter((tweet) => shown.get(`t${tweet.tweetId}`) === null).length;
        }
      }
    }
    // Else nothing would have been tried.
    expect(hidden).toBeGreaterThan(0);
  },
  isLong ? 3_600_000 : undefined,
);
