import { splitEntries } from '../../src/kit/postings/build-segments';
import { measureEntry, type Entry } from '../../src/kit/postings/entry';
import { MAX_ENTRY_BYTES } from '../../src/kit/postings/postings.table';
import { INDEX_LIMITS } from '../../src/kit/postings/limits';
import { chooseMerge } from '../../src/kit/postings/maintain';
import type { Segment } from '../../src/kit/postings/segment';
import { addEntryWrite } from '../../src/kit/postings/unsealed';
import { randomIntFrom } from '../support/random-int';

const randomInt = randomIntFrom(38);
const limits = { ...INDEX_LIMITS, segmentEntries: 1000, segmentBytes: 100_000 };

const terms = Array.from({ length: 512 }, (_, n) => String(n));
const entryOf = (n: number, count: number): Entry => ({
  rank: 0,
  id: String(n),
  terms: terms.slice(0, count),
});

const sizeOf = (entries: readonly Entry[]) => entries.reduce((sum, entry) => sum + measureEntry(entry), 0);

test('segments have all entries in order, and none has more entries or bytes than it may', () => {
  const largest = measureEntry(entryOf(1, 512));
  for (let round = 0; round < 40; round++) {
    const most = randomInt(1, 513);
    const entries = Array.from({ length: randomInt(0, 2000) }, (_, n) => entryOf(n, randomInt(most)));
    const parts = splitEntries(entries, limits);
    expect(parts.flat().map(({ id }) => id)).toEqual(entries.map(({ id }) => id));
    for (const part of parts) {
      expect(part.length).toBeLessThanOrEqual(limits.segmentEntries);
      expect(sizeOf(part)).toBeLessThanOrEqual(limits.segmentBytes + largest);
    }
    // About as few as there can be.
    const least = Math.max(entries.length / limits.segmentEntries, sizeOf(entries) / limits.segmentBytes);
    expect(parts.length).toBeLessThanOrEqual(2 * Math.ceil(least));
  }
});

test.each([
  ['few terms', 5],
  ['many terms', 500],
])('entries of %s are merged a few times only, and then no more', (_what, count) => {
  const size = measureEntry(entryOf(1, count));
  let segments: Segment[] = [];
  let next = 100_000_000;
  let built = 0;
  const add = (entries: number) => {
    const place = (id: number) => ({ rank: 0, id: String(id) });
    const [last, first] = [next - entries, next - 1];
    next -= entries;
    const bounds = Buffer.alloc(0);
    const own = { segment: String(built++), part: 0, bounds, superseded: null, volume: 0 };
    return { ...own, entries, bytes: entries * size, first: place(first), last: place(last) };
  };
  let [added, merged] = [0, 0];
  for (let round = 0; round < 400; round++) {
    const entries = randomInt(1, 60);
    added += entries;
    segments.push(add(entries));
    for (let merges = 0; ; merges++) {
      const chosen = chooseMerge(segments, limits);
      if (chosen.length === 0) break;
      expect(merges).toBeLessThan(10);
      const all = chosen.reduce((sum, one) => sum + one.entries, 0);
      merged += all;
      const full = Math.min(limits.segmentEntries, Math.ceil(limits.segmentBytes / size));
      segments = segments.filter((segment) => !chosen.includes(segment));
      for (let left = all; left > 0; left -= full) segments.push(add(Math.min(left, full)));
    }
  }
  expect(merged).toBeLessThan(4 * added);
});

test.each([
  ['513 terms', Array.from({ length: 513 }, (_, n) => String(n))],
  ['a term of too many bytes', ['中'.repeat(Math.ceil((MAX_ENTRY_BYTES + 1) / 3))]],
])('an entry with %s is refused', (_what, terms) => {
  const add = () => addEntryWrite({ list: 'list', parts: 1 }, { rank: 0, id: '1', terms });
  expect(add).toThrow(
    /^An entry must have at most 512 terms, of 16384 bytes together, but 1 has \d+ of \d+ bytes\.$/,
  );
});
