import { Tail } from '../../src/kit/postings/tail';
import { randomFrom } from '../../src/kit/base/random';

// Prints how many bytes a tail takes, and how many it counts. It is a program of its own, with no other garbage in its heap.

const ENTRIES = 300;
const TERMS = 300;

const random = randomFrom(9);
// As the driver makes them, which shares no text.
const text = (value: string) => Buffer.from(value).toString();
// Half of the terms are in no other entry.
const term = (_: unknown, n: number) => text(`字${Math.floor(random() * (n % 2 === 0 ? 1e9 : 1000))}`);
const heapUsed = () => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
};

const before = heapUsed();
const tail = new Tail();
for (let n = 0; n < ENTRIES; n++)
  tail.add(
    { part: 0, at: n, rank: 0, id: text(String(1e18 + n)), terms: Array.from({ length: TERMS }, term) },
    1,
  );
const taken = heapUsed() - before;
process.stdout.write(JSON.stringify({ taken, counted: tail.bytes }));
