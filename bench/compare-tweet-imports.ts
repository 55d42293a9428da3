import { median, round, say, type Section } from './measure';
import { randomFrom } from '../src/kit/base/random';
import { environment, SEED, withDatabase, type Stage } from './stage';
import { fillTweets } from './tweets/fill';
import { rewriteRows, type Rewritten } from './tweets/rewrite-rows';

const ROUNDS = 2;
const TWEETS = 20_000;

/**
 * Imports generated tweets, and writes the rows that came of them again with the driver alone. The latter has nothing to read,
 * to compute or to count.
 */
export async function compareTweetImports({ contactPoint, brief, tweets }: Stage): Promise<Section> {
  const size = brief ? 1000 : (tweets ?? TWEETS);
  const ours: number[] = [];
  const raw: Rewritten[] = [];
  for (let roundNumber = 0; roundNumber <= (brief ? 1 : ROUNDS); roundNumber++) {
    // The first import makes Cassandra compile its code, which takes a third of its time.
    if (roundNumber === 0) say('Warming up');
    const keyspace = `tweets_${roundNumber}`;
    const options = { tweets: size, end: new Date(), random: randomFrom(SEED) };
    await withDatabase(contactPoint, keyspace, async (database) => {
      const seconds = await fillTweets(database, environment(contactPoint, keyspace), options);
      if (roundNumber > 0) ours.push(seconds);
    });
    say('Writing the same rows with the driver alone');
    await withDatabase(contactPoint, `raw_${keyspace}`, async () => {
      const rewritten = await rewriteRows(contactPoint, keyspace, `raw_${keyspace}`);
      if (roundNumber > 0) raw.push(rewritten);
    });
  }
  const seconds = [median(ours), median(raw.map((one) => one.seconds))] as const;
  const line = {
    what: `import of ${size} tweets, with their counts`,
    'ours /s': Math.round(size / seconds[0]),
    'raw /s': Math.round(size / seconds[1]),
    ratio: round(seconds[1] / seconds[0]),
    'rows a tweet': round((raw[0]?.rows ?? 0) / size, 1),
  };
  return { title: 'Imports of tweets', lines: [line] };
}
