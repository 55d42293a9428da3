import { lateTweets, type LiveReads } from '../../src/features/live/live-tweets';
import { createLoad, type Load } from '../../src/kit/reads/load';
import type { LateArrival } from '../../src/kit/subscriptions/late-arrivals';
import type { Live } from '../../src/kit/subscriptions/live';
import { person, startHarness, tweet, type Harness } from '../support/harness';

const IDS = Array.from({ length: 250 }, (_, n) => String(1000 + n));

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([person('1', 'ada'), ...IDS.map((id) => tweet(id, '1'))]);
});

test('what has arrived late is read a hundred tweets at a time', async () => {
  let reads = 0;
  const readRows = <T>(work: (load: Load) => Promise<T>) => {
    reads++;
    return work(createLoad(server.database));
  };
  const arrivals = [...IDS, '7'].map((item): LateArrival => {
    return { owner: '0', list: 'tweets', arrivedAt: new Date(), item, kind: 'row' };
  });
  const found: string[] = [];
  const isOdd = ({ tweetId }: { readonly tweetId: string }) => Number(tweetId) % 2 === 1;
  for await (const { tweetId } of lateTweets({ readRows } as unknown as Live<LiveReads>, arrivals, isOdd))
    found.push(tweetId);
  expect(found).toEqual(IDS.filter((tweetId) => isOdd({ tweetId })));
  expect(reads).toBe(3);
});
