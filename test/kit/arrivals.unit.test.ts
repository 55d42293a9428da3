import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createArrivals } from '../../src/kit/http/arrivals';

const MAX_WAITING = 100;

/** The order of the requests of a server, whose connections the test announces, and the requests that have begun. */
function setUp() {
  const server = new EventEmitter();
  const { waitToBegin } = createArrivals(server, MAX_WAITING, () => new Error('too many'));
  const begun: string[] = [];
  /** Lets requests of a caller arrive in this turn. */
  const arrive = (caller: string, count: number) => {
    for (let n = 0; n < count; n++)
      void (waitToBegin(caller) ?? Promise.resolve()).then(() => begun.push(caller));
  };
  const count = (caller: string) => begun.filter((one) => one === caller).length;
  return { connect: () => server.emit('connection'), waitToBegin, arrive, count };
}

test('a request begins at once if few others arrive', () => {
  const { waitToBegin } = setUp();
  expect([waitToBegin('ada'), waitToBegin('ada'), waitToBegin('bo')]).toEqual([null, null, null]);
});

test('16 requests of each caller begin in a turn, in the order in which they arrived', async () => {
  const { arrive, count } = setUp();
  arrive('ada', 40);
  arrive('bo', 3);
  await Promise.resolve();
  expect([count('ada'), count('bo')]).toEqual([16, 3]);
  await nextTurn();
  expect([count('ada'), count('bo')]).toEqual([32, 3]);
  await nextTurn();
  expect([count('ada'), count('bo')]).toEqual([40, 3]);
});

test('what arrives later does not begin before what waits', async () => {
  const { arrive, waitToBegin } = setUp();
  arrive('ada', 40);
  await nextTurn();
  expect(waitToBegin('ada')).not.toBeNull();
  expect(waitToBegin('bo')).toBeNull();
});

test('requests wait while connections arrive, and begin when none has arrived in a turn', async () => {
  const { connect, arrive, count } = setUp();
  // The first one to wait begins soon, because nothing has begun for some time.
  connect();
  arrive('ada', 1);
  await nextTurn();
  connect();
  arrive('ada', 20);
  await nextTurn();
  expect(count('ada')).toBe(1);
  await nextTurn();
  expect(count('ada')).toBe(17);
  await nextTurn();
  expect(count('ada')).toBe(21);
});

test('requests begin although connections never stop to arrive', async () => {
  const { connect, arrive, count } = setUp();
  connect();
  arrive('ada', 3);
  arrive('bo', 3);
  let turns = 0;
  while (count('ada') + count('bo') < 6) {
    connect();
    await nextTurn();
    expect(Math.abs(count('ada') - count('bo'))).toBe(0);
    turns += 1;
  }
  expect(turns).toBeGreaterThan(3);
});

test('of each caller only so many wait', async () => {
  const { connect, waitToBegin, arrive, count } = setUp();
  connect();
  arrive('ada', MAX_WAITING);
  await expect(waitToBegin('ada')).rejects.toThrow('too many');
  expect(waitToBegin('bo')).not.toBeNull();
  while (count('ada') < MAX_WAITING) await nextTurn();
  await nextTurn();
  expect(waitToBegin('ada')).toBeNull();
});
