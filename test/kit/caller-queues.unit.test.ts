import { deadlineExceeded } from '../../src/kit/base/errors';
import { computeWeight } from '../../src/kit/graphql/admission';
import { createCallerQueues, createRequestRoom } from '../../src/kit/rate-limits/caller-queues';
import { openPass } from './passes';

/** Queues, the names of the requests that have begun, in this order, and what ends each. */
function setUp() {
  const queues = createCallerQueues();
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const enter = async (caller: string, name: string, weight: number, by = openPass()) => {
    ends.set(name, await queues.waitForRoom(caller, weight, by));
    begun.push(name);
  };
  /** Ends a request, and lets those that follow begin. */
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise(setImmediate);
  };
  return { queues, begun, enter, end };
}

test('requests begin in their order while they weigh no more than a quarter of one, callers apart', async () => {
  const { begun, enter, end } = setUp();
  const asked = [
    enter('ada', 'half', 0.125),
    enter('ada', 'other half', 0.125),
    enter('ada', 'large', 0.2),
    enter('ada', 'small', 0.02),
    enter('bo', 'of bo', 0.25),
  ];
  await asked[4];
  expect(begun).toEqual(['half', 'other half', 'of bo']);
  await end('half');
  expect(begun).toHaveLength(3);
  await end('other half');
  expect(begun.slice(3)).toEqual(['large', 'small']);
  await Promise.all(asked);
});

test('of the mutations of a caller four are under way at once, and those of another begin beside them', async () => {
  const { begun, enter, end } = setUp();
  const limits = { reads: 5000, rows: 1e6, bytes: 1e9, nodesAtWorst: 1e5, values: 1e5 };
  const weight = (written: number) =>
    computeWeight({ reads: 1, rows: 1, bytes: 1, nodes: 1, values: 1, written }, limits);
  const leaving = openPass();
  const posts = Array.from({ length: 50 }, (_, n) => enter('ada', `post ${n}`, weight(100), leaving));
  await enter('bo', 'of bo', weight(100));
  expect(begun.toSorted()).toEqual(['of bo', ...Array.from({ length: 4 }, (_, n) => `post ${n}`)]);
  await end('post 3');
  expect(begun.slice(5)).toEqual(['post 4']);
  // What writes nothing weighs what it reads.
  for (let n = 0; n < 50; n++) await enter('cy', `query ${n}`, weight(0));
  leaving.close();
  await Promise.allSettled(posts);
  expect(begun.filter((name) => name.startsWith('post'))).toHaveLength(5);
});

test('a request that is too large for any room has all of it', async () => {
  const { begun, enter, end } = setUp();
  await enter('ada', 'huge', 7);
  const next = enter('ada', 'next', 0);
  await end('of nobody');
  expect(begun).toEqual(['huge']);
  await end('huge');
  await next;
});

test('who is gone waits no longer, and those behind it have its place', async () => {
  const { begun, enter, end } = setUp();
  await enter('ada', 'first', 0.125);
  const gone = openPass();
  const left = enter('ada', 'left', 0.25, gone);
  const next = enter('ada', 'next', 0.125);
  gone.close(deadlineExceeded(1));
  await expect(left).rejects.toMatchObject({ extensions: { code: 'UNAVAILABLE' } });
  await next;
  expect(begun).toEqual(['first', 'next']);
  await end('first');
  await end('first');
  await enter('ada', 'third', 0.125);
  expect(begun).toEqual(['first', 'next', 'third']);
});

test('requests that need more room give back what they have, so that none waits for another for ever', async () => {
  const queues = createCallerQueues();
  const pass = openPass();
  const rooms = ['a', 'b', 'c'].map(() => createRequestRoom(queues, 'ada'));
  await Promise.all(rooms.map((room) => room.take(0.05, pass)));
  const done: number[] = [];
  const growing = rooms.map(async (room, n) => {
    // Two fields of one request may need more at the same time.
    await Promise.all([room.take(0.3, pass), room.take(0.4, pass)]);
    done.push(n);
    await new Promise(setImmediate);
    expect(done).toHaveLength(n + 1);
    room.leave();
  });
  await Promise.all(growing);
  expect(done).toEqual([0, 1, 2]);
});

test('room that is only given when its request has ended is given back', async () => {
  const { enter, end, queues } = setUp();
  await enter('ada', 'first', 0.25);
  const ended = createRequestRoom(queues, 'ada');
  const waiting = ended.take(0.25, openPass());
  ended.leave();
  await end('first');
  await waiting;
  await enter('ada', 'next', 0.25);
});
