import { leastIdAt } from '../../src/kit/base/snowflake';
import type { Load } from '../../src/kit/reads/load';
import { Alarm } from '../../src/kit/subscriptions/alarm';
import { Ending, type Live, type Reading } from '../../src/kit/subscriptions/live';
import { Watcher } from '../../src/kit/subscriptions/watcher';
import type { WatchedList } from '../../src/kit/subscriptions/watched-list';

const START = Date.UTC(2026, 10, 30);
/** Nobody else writes, so nothing comes late. */
const load = (() => Promise.resolve([])) as unknown as Load;

afterEach(() => jest.restoreAllMocks());

/**
 * A subscription to a list that is empty when it begins, at a time that tests set. `reads` has what answers
 * its next reads of the newest rows, `limits` how many rows these asked for.
 */
async function begin() {
  const now = jest.spyOn(Date, 'now').mockReturnValue(START);
  const reads: Promise<readonly string[]>[] = [];
  const limits: number[] = [];
  const live = {
    ...{ signals: { on: () => () => undefined, publish: () => undefined }, receivedAt: START },
    ...{ ticker: { after: () => () => undefined, stop: () => undefined }, readEveryMs: 1000 },
    ...{ ending: new Ending(), begin: (work: () => unknown) => work() },
    ...{ read: (work: (context: Reading) => unknown) => work({ load }) },
    readRows: (work: (context: Load) => unknown) => work(load),
  } as unknown as Live<Reading>;
  const watched: WatchedList<string, string, Reading> = {
    open: () => ({
      list: { name: 'list', order: 'desc', parts: () => Promise.resolve([]), position: (id) => [id] },
      nodeOf: (id) => id,
    }),
    newest(_, limit) {
      limits.push(limit);
      return reads.shift() ?? Promise.resolve([]);
    },
    topics: [],
    late: { owner: '1', list: 'list', keyOf: (id) => [id], async *nodesOf() {} },
  };
  const watcher = new Watcher(live, watched, 'list', new Alarm(live, []));
  for await (const { node } of watcher.readFromNow()) throw new Error(`${node} must not be there`);
  const look = async () => (await watcher.lookAt(null))?.map(({ node }) => node);
  return {
    watcher,
    reads,
    limits,
    look,
    at: (seconds: number) => now.mockReturnValue(START + seconds * 1000),
  };
}

test('a row is given once, also where a check that nothing is new ends while a read is under way that looks back further', async () => {
  const { watcher, reads, look, at } = await begin();
  const row = leastIdAt(new Date(START + 1000));
  const found = Promise.resolve([row]);
  at(1);
  reads.push(found);
  expect(await look()).toEqual([row]);
  // So late that, seen from here, the row need not be remembered any more.
  at(25);
  const slow = Promise.withResolvers<readonly string[]>();
  reads.push(found, slow.promise);
  const check = watcher.isUnchanged();
  const read = look();
  expect(await check).toBe(true);
  slow.resolve([row]);
  expect(await read).toEqual([]);
});

test('a check that nothing is new lets a subscription forget what it need not look back to', async () => {
  const { watcher, reads, limits, look, at } = await begin();
  const found = Promise.resolve([leastIdAt(new Date(START + 1000))]);
  at(1);
  reads.push(found);
  await look();
  at(25);
  reads.push(found, found);
  expect([await watcher.isUnchanged(), await watcher.isUnchanged()]).toEqual([true, true]);
  // One more row than is known.
  expect(limits.slice(-2)).toEqual([2, 1]);
});
