import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { attached } from '../src/kit/base/attached';
import { createQueue } from '../src/kit/base/queue';
import { createCallerQueues, createRequestRoom } from '../src/kit/rate-limits/caller-queues';
import { createGate } from '../src/kit/reads/gate';
import type { Load } from '../src/kit/reads/load';
import { showItems } from '../src/kit/lists/list';
import { connect } from '../src/kit/lists/connection';
import { partsByBucket, type List } from '../src/kit/lists/list-parts';
import { openTimeline } from '../src/features/timeline/timeline';
import { tweet } from '../src/features/tweet/tweet.node';
import { createViewer } from '../src/features/viewer/viewer';

const CREATED = 1000;
const ROUNDS = 11;
/** What the compiler and the collector themselves need comes to less than this. What each of these refers to is larger. */
const MAX_BYTES_EACH = 600;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as (how: { readonly type: 'minor' | 'major' }) => void;

/** The bytes of the objects that have outlived two minor collections. */
function oldBytes(): number {
  const spaces = getHeapSpaceStatistics().filter(({ space_name }) => /^(old|large_object)_/.test(space_name));
  return spaces.reduce((sum, { space_used_size }) => sum + space_used_size, 0);
}

/** How many bytes minor collections leave of each object that `create` has created, by the median of some rounds. */
async function bytesKept(create: () => unknown): Promise<number> {
  const growths: number[] = [];
  // While a major collection goes on, which another file may have begun, minor ones leave what it has marked.
  collect({ type: 'major' });
  for (let round = 0; round < ROUNDS; round++) {
    const before = oldBytes();
    for (let n = 0; n < CREATED; n++) await create();
    collect({ type: 'minor' });
    collect({ type: 'minor' });
    growths.push((oldBytes() - before) / CREATED);
  }
  return growths.sort((a, b) => a - b)[ROUNDS >> 1] ?? NaN;
}

/** A `load` that refers to as much as one does that has read a row. */
function largeLoad(): Load {
  const rows = new Array<number>(200).fill(0);
  const read = () => Promise.reject(new Error(`There must be no read, but ${rows.length} are asked for.`));
  return Object.assign(read, { forget: () => undefined, within: <T>(work: Promise<T>) => work });
}

const gate = createGate({ maxInFlight: 1, maxPerRequest: 1 });
const queues = createCallerQueues();
const queue = createQueue<readonly number[]>();
const contexts = attached<object>();
const list: List<string> = {
  name: 'list',
  parts: partsByBucket(
    async () => Promise.resolve([2, 1]),
    () => [{ read: () => Promise.resolve({ rows: [], end: null }) }],
  ),
  position: () => ['1'],
};

test.each<[string, () => unknown]>([
  [
    'what belongs to a request',
    () => {
      const request = {};
      contexts.set(request, { request, rows: new Array<number>(200).fill(0) });
    },
  ],
  [
    'a pass',
    () => {
      gate.openPass(60_000).close();
    },
  ],
  [
    'a page',
    () =>
      connect(
        list,
        { from: null, backwards: false, limit: 25 },
        (node, cursor) => ({ node, cursor }),
        (node) => node,
      ),
  ],
  [
    'the room of a request among those of its caller',
    async () => {
      const pass = Object.assign(gate.openPass(60_000), { rows: new Array<number>(200).fill(0) });
      const room = createRequestRoom(queues, 'caller');
      await room.take(0.1, pass);
      room.leave();
      pass.close();
    },
  ],
  [
    'what was taken from a queue',
    () => {
      queue.add(new Array<number>(2000).fill(0));
      queue.take();
    },
  ],
  ['a viewer', () => createViewer(largeLoad(), { kind: 'anonymous' }, false)],
  [
    'a timeline',
    () => showItems({ load: largeLoad() }, openTimeline(largeLoad(), '1', null, new Map()), tweet, null),
  ],
])('%s is removed by a minor collection', async (_what, create) => {
  expect(await bytesKept(create)).toBeLessThan(MAX_BYTES_EACH);
});

test('a closed pass does not keep what it would have called', async () => {
  const open = () => {
    const pass = gate.openPass(60_000);
    const rows = new Array<number>(200).fill(0);
    pass.allowBytes(1, () => rows.length);
    pass.close();
    return { pass, rows: new WeakRef(rows) };
  };
  const { pass, rows } = open();
  // A WeakRef keeps its target until the turn is over.
  await new Promise(setImmediate);
  collect({ type: 'major' });
  expect(pass.closed).not.toBeNull();
  expect(rows.deref()).toBeUndefined();
});
