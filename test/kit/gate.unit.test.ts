import { deadlineExceeded, rateLimited } from '../../src/kit/base/errors';
import { createGate, type Pass } from '../../src/kit/reads/gate';

const LONG = 60_000;

/** Reads that end when they are told to; `begun` has their names in the order in which they began. */
function createReads() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    read: (name: string) => () => {
      begun.push(name);
      return new Promise<string>((resolve) => {
        ends.set(name, () => {
          resolve(name);
        });
      });
    },
    /** Ends a read, and lets all that follows from it happen. */
    async end(name: string) {
      ends.get(name)?.();
      await new Promise(setImmediate);
    },
  };
}

interface BytesInFlight {
  readonly maxBytesInFlight?: number;
  readonly maxBytesPerRequest?: number;
}

const passes: Pass[] = [];
afterEach(() => {
  for (const pass of passes.splice(0)) pass.close();
});

function setUp(maxInFlight: number, maxPerRequest: number, bytes: BytesInFlight = {}) {
  const gate = createGate({ maxInFlight, maxPerRequest, ...bytes });
  const reads = createReads();
  const enter = (milliseconds = LONG) => {
    const pass = gate.openPass(milliseconds);
    passes.push(pass);
    return pass;
  };
  const ask = (pass: Pass, name: string, partitions = 1, ofLargeValues = 0) => {
    const answer = pass.run(partitions, reads.read(name), ofLargeValues);
    answer.catch(() => undefined);
    return answer;
  };
  return { gate, reads, enter, ask };
}

test('a request that asks for little begins before what a heavy one asked for earlier', async () => {
  const { gate, reads, enter, ask } = setUp(2, 2);
  const heavy = enter();
  for (let n = 1; n <= 6; n++) void ask(heavy, `heavy ${n}`);
  const light = enter();
  const answer = ask(light, 'light');
  expect(gate.waiting()).toBe(1);
  await reads.end('heavy 1');
  await reads.end('heavy 2');
  expect(reads.begun).toEqual(['heavy 1', 'heavy 2', 'light', 'heavy 3']);
  await reads.end('light');
  await expect(answer).resolves.toBe('light');
  expect(reads.begun).toEqual(['heavy 1', 'heavy 2', 'light', 'heavy 3', 'heavy 4']);
});

test('requests take turns, whatever order they asked in', async () => {
  const { reads, enter, ask } = setUp(1, 1);
  void ask(enter(), 'first');
  const some = ['a', 'b', 'c'].map((name) => ({ name, pass: enter() }));
  for (const { name, pass } of some) for (let n = 1; n <= 2; n++) void ask(pass, `${name}${n}`);
  for (const name of ['first', 'a1', 'b1', 'c1', 'a2', 'b2', 'c2']) await reads.end(name);
  expect(reads.begun).toEqual(['first', 'a1', 'b1', 'c1', 'a2', 'b2', 'c2']);
});

test('one request has no more partitions in flight than it may, though the server has room', async () => {
  const { gate, reads, enter, ask } = setUp(100, 10);
  const pass = enter();
  void ask(pass, 'six', 6);
  void ask(pass, 'five', 5);
  void ask(pass, 'one', 1);
  expect(reads.begun).toEqual(['six']);
  // Nobody waits for others.
  expect(gate.waiting()).toBe(0);
  void ask(enter(), 'of another', 10);
  expect(gate.inFlight()).toBe(16);
  await reads.end('six');
  expect(reads.begun).toEqual(['six', 'of another', 'five', 'one']);
});

test('no more partitions are in flight than the server may have; a read that is larger has it for itself', async () => {
  const { gate, reads, enter, ask } = setUp(10, 10);
  void ask(enter(), 'six', 6);
  void ask(enter(), 'large', 100);
  // It may not pass by for ever: the large one is before it.
  void ask(enter(), 'small', 1);
  expect(reads.begun).toEqual(['six']);
  expect(gate.waiting()).toBe(2);
  await reads.end('six');
  expect(reads.begun).toEqual(['six', 'large']);
  await reads.end('large');
  expect(reads.begun).toEqual(['six', 'large', 'small']);
  await reads.end('small');
  expect([gate.inFlight(), gate.waiting()]).toEqual([0, 0]);
});

test('when a request is closed all its reads are rejected, what waits is never read, and others go on', async () => {
  const { gate, reads, enter, ask } = setUp(2, 2);
  const pass = enter();
  const answers = ['a', 'b', 'c', 'd'].map((name) => ask(pass, name));
  const other = ask(enter(), 'other');
  const reason = deadlineExceeded(5);
  pass.close(reason);
  for (const answer of answers) await expect(answer).rejects.toBe(reason);
  await expect(pass.run(1, reads.read('late'))).rejects.toBe(reason);
  await expect(pass.within(new Promise(() => undefined))).rejects.toBe(reason);
  expect(pass.until).toBeLessThan(performance.now());
  // What was begun is still read, and keeps its room.
  expect([reads.begun, gate.inFlight()]).toEqual([['a', 'b'], 2]);
  await reads.end('a');
  await reads.end('other');
  await expect(other).resolves.toBe('other');
  await reads.end('b');
  expect([reads.begun, gate.inFlight(), gate.waiting()]).toEqual([['a', 'b', 'other'], 0, 0]);
});

test('a request that is closed while it waits in front lets those behind it through', () => {
  const { reads, enter, ask } = setUp(10, 10);
  void ask(enter(), 'six', 6);
  const pass = enter();
  void ask(pass, 'large', 100);
  void ask(enter(), 'small', 1);
  pass.close();
  expect(reads.begun).toEqual(['six', 'small']);
});

test('a read that fails gives its room to the next', async () => {
  const { gate, reads, enter, ask } = setUp(1, 1);
  const pass = enter();
  const failed = pass.run(1, () => Promise.reject(new Error('broken')));
  void ask(pass, 'next');
  await expect(failed).rejects.toThrow('broken');
  await new Promise(setImmediate);
  expect([reads.begun, gate.inFlight()]).toEqual([['next'], 1]);
});

test('a request is closed when its time is over, which its error says', async () => {
  const { enter, ask } = setUp(10, 10);
  const pass = enter(20);
  await expect(ask(pass, 'slow')).rejects.toThrow('This was not done within 20 ms');
  expect(pass.closed?.extensions).toMatchObject({ code: 'UNAVAILABLE' });
});

test('no more bytes are in flight than a request and the server may have', async () => {
  const { gate, reads, enter, ask } = setUp(100, 100, { maxBytesInFlight: 30, maxBytesPerRequest: 20 });
  const pass = enter();
  void ask(pass, 'a', 1, 15);
  void ask(pass, 'b', 1, 10);
  void ask(pass, 'c', 1, 5);
  expect(reads.begun).toEqual(['a']);
  const other = enter();
  void ask(other, 'd', 1, 15);
  // For reads without bytes there is room.
  void ask(enter(), 'e');
  expect([reads.begun, gate.bytesInFlight()]).toEqual([['a', 'd', 'e'], 30]);
  await reads.end('a');
  expect([reads.begun, gate.bytesInFlight()]).toEqual([['a', 'd', 'e', 'b', 'c'], 30]);
  for (const name of ['b', 'c', 'd', 'e']) await reads.end(name);
  expect([gate.inFlight(), gate.bytesInFlight()]).toEqual([0, 0]);
});

test('a read that may have more bytes than the limit waits until no other read has any, and others wait for it', async () => {
  const { reads, enter, ask } = setUp(100, 100, { maxBytesInFlight: 10, maxBytesPerRequest: 10 });
  // This one has none, so it makes no difference.
  void ask(enter(), 'without');
  void ask(enter(), 'small', 1, 1);
  void ask(enter(), 'other', 1, 2);
  void ask(enter(), 'huge', 1, 1000);
  void ask(enter(), 'next', 1, 1);
  const begun = ['without', 'small', 'other'];
  expect(reads.begun).toEqual(begun);
  await reads.end('small');
  expect(reads.begun).toEqual(begun);
  await reads.end('other');
  expect(reads.begun).toEqual([...begun, 'huge']);
  await reads.end('huge');
  expect(reads.begun).toEqual([...begun, 'huge', 'next']);
});

test('a request that has read more bytes than it may reads no more, and what it waits for is refused', async () => {
  const { gate, reads, enter, ask } = setUp(2, 1);
  const pass = gate.openPass(LONG, 100);
  passes.push(pass);
  const waiting = [ask(pass, 'begun'), ask(pass, 'queued')];
  void ask(enter(), 'of another');
  pass.countBytes(60);
  pass.countBytes(40);
  const message =
    'A query may read at most 100 bytes, but this one has read 101: ask for smaller pages or fewer fields.';
  expect(() => {
    pass.countBytes(1);
  }).toThrow(message);
  for (const answer of [...waiting, ask(pass, 'late')]) await expect(answer).rejects.toThrow(message);
  await reads.end('begun');
  expect([reads.begun, gate.inFlight()]).toEqual([['begun', 'of another'], 1]);
});

test('a request says when it has read more bytes than expected, and each time that it reads more', () => {
  const { gate } = setUp(1, 1);
  const pass = gate.openPass(LONG, 1000);
  passes.push(pass);
  const grown: number[] = [];
  pass.allowBytes(100, (read) => {
    if (read > 500) throw new Error('too much');
    grown.push(read);
  });
  pass.countBytes(100);
  expect(grown).toEqual([]);
  pass.countBytes(1);
  pass.countBytes(0);
  pass.countBytes(99);
  expect(grown).toEqual([101, 200]);
  expect(pass.bytes).toBe(200);
  expect(() => {
    pass.countBytes(400);
  }).toThrow('too much');
  expect(pass.closed).toBeNull();
});

test('a request that is refused more bytes than expected reads no more', async () => {
  const { reads, enter, ask } = setUp(1, 1);
  const pass = enter();
  const reason = rateLimited('You have no points left.', 1);
  pass.allowBytes(100, () => {
    throw reason;
  });
  const waiting = [ask(pass, 'begun'), ask(pass, 'queued')];
  expect(() => {
    pass.countBytes(101);
  }).toThrow(reason);
  for (const answer of waiting) await expect(answer).rejects.toBe(reason);
  await reads.end('begun');
  expect(reads.begun).toEqual(['begun']);
});
