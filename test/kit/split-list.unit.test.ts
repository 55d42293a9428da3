import {
  encodePosition,
  decodePosition,
  stretchAt,
  INITIAL_STRETCH,
  MAX_OTHERS,
  type Stretch,
} from '../../src/kit/lists/list-buckets';
import { FULL_ROWS } from '../../src/kit/cassandra/table';
import {
  AHEAD_MS,
  isFull,
  MIN_AHEAD_MS,
  LIST_TIMES,
  splitList,
  trustedAge,
} from '../../src/kit/lists/split-list';
import { randomIntFrom } from '../support/random-int';

// The rule by which lists are split, on lists of 10^8 rows. A step of the simulation stores some thousand rows at once; of the
// rows of a partition it keeps a sample.

/** How many rows a list gets. */
const ROWS = 1e8;
const STEPS = 5000;
const ROWS_PER_STEP = ROWS / STEPS;
/** How many positions of each step are kept. */
const KEPT = 16;
/** How many rows a server stores between two checks of a partition, on average. */
const ROWS_PER_CHECK = FULL_ROWS / 5;
/** What a row takes, in bytes, with all that Cassandra stores of it: of a list of likes or followers, and of one of tweets. */
const LINK_BYTES = 40;
const TWEET_BYTES = 350;
const MAX_PARTITION_BYTES = 100e6;

interface Partition {
  rows: number;
  /** Keys of a sample of the rows. */
  readonly keys: string[];
}

/** Fills a list with rows whose times `timeOf` gives; the rows come at `rowsPerSecond`. */
async function simulate(timeOf: (row: number, now: number) => number, rowsPerSecond: number, began: number) {
  let stretches: readonly Stretch[] = [INITIAL_STRETCH];
  let next = 1;
  const partitions = new Map<number, Partition>();
  for (let step = 0; step < STEPS; step++) {
    const now = began + (step * ROWS_PER_STEP * 1000) / rowsPerSecond;
    const touched = new Map<number, readonly [Date, string]>();
    for (let n = 0; n < KEPT; n++) {
      const row = step * ROWS_PER_STEP + (n * ROWS_PER_STEP) / KEPT;
      const position = [new Date(timeOf(row, now)), String((row * 7919) % 1_000_003)] as const;
      const key = encodePosition(position);
      const declared = stretchAt(stretches, key);
      const isEffective = now >= Number(declared.effectiveAt);
      const bucket = isEffective ? declared.bucket : (declared.others[0] ?? declared.bucket);
      const partition = partitions.get(bucket) ?? { rows: 0, keys: [] };
      partitions.set(bucket, partition);
      partition.rows += ROWS_PER_STEP / KEPT;
      partition.keys.push(key);
      touched.set(bucket, position);
    }
    for (const [bucket, position] of touched) {
      const { rows, keys } = partitions.get(bucket) as Partition;
      // A check is due after so many rows on average. Here it comes after twice as many.
      if (rows < FULL_ROWS + 2 * ROWS_PER_CHECK) continue;
      const isEmpty = (other: number, since: string, until: string) =>
        Promise.resolve(
          !(partitions.get(other)?.keys ?? []).some((key) => key >= since && (until === '' || key < until)),
        );
      const sorted = [...keys].sort().reverse();
      const full = { stretches, bucket, position, keys: sorted, fullRows: KEPT, now: new Date(now), next };
      const declared = await splitList(full, isEmpty);
      next += declared.length;
      const [first] = declared;
      if (first === undefined) continue;
      // They are parts of one stretch, so they stand between its neighbours.
      stretches = [
        ...stretches.filter(({ since }) => since > first.since),
        ...declared.toReversed(),
        ...stretches.filter(({ since }) => since < first.since),
      ];
    }
  }
  return {
    largest: Math.max(...[...partitions.values()].map(({ rows }) => rows)),
    partitions: partitions.size,
    stretches: stretches.length,
    others: Math.max(...stretches.map(({ others }) => others.length)),
  };
}

const NOW = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
/** How fast an import stores rows of one list, and how fast a tweet that everybody likes gets them. */
const IMPORT = 50_000;
const VIRAL = ROWS / (DAY_MS / 1000);
/** How fast an import stores tweets of one author, and how fast a tweet gets replies that come to 10^8 in a week. */
const TWEET_IMPORT = 10_000;
const DISCUSSED = VIRAL / 7;

test.each([
  ['likes of one tweet within a day', (_row: number, now: number) => now, VIRAL, LINK_BYTES],
  ['untimed followers of an import', () => 0, IMPORT, LINK_BYTES],
  ['an import in the order of time', (row: number) => row, IMPORT, LINK_BYTES],
  ['an import against the order of time', (row: number) => -row, IMPORT, LINK_BYTES],
  [
    'an import of the last year, in no order',
    (row: number) => NOW - ((row * 48_271) % (365 * DAY_MS)),
    IMPORT,
    LINK_BYTES,
  ],
  ['replies to one tweet within a week', (_row: number, now: number) => now, DISCUSSED, TWEET_BYTES],
  ['an import of the tweets of one author', (row: number) => row, TWEET_IMPORT, TWEET_BYTES],
])('%s: no partition of 10^8 rows is larger than 100 MB', async (_name, timeOf, rowsPerSecond, bytes) => {
  const { largest, others, partitions } = await simulate(timeOf, rowsPerSecond, NOW);
  expect(largest * bytes).toBeLessThan(MAX_PARTITION_BYTES);
  expect(others).toBeLessThanOrEqual(MAX_OTHERS);
  expect(partitions).toBeGreaterThan(ROWS / (MAX_PARTITION_BYTES / bytes));
});

test('a list that grows with time goes on in a partition that begins ahead, and servers do not meet it unprepared', async () => {
  const now = new Date(NOW);
  const position = [now, '1'] as const;
  const full = {
    stretches: [INITIAL_STRETCH],
    bucket: 0,
    position,
    keys: [encodePosition([new Date(NOW - 3_600_000), '1'])],
    fullRows: FULL_ROWS,
    now,
    next: 1,
  };
  const [declared, ...others] = await splitList(full, () => Promise.resolve(true));
  expect(others).toEqual([]);
  expect(declared).toEqual({
    since: encodePosition([new Date(NOW + AHEAD_MS), String(-(2n ** 63n))]),
    bucket: 1,
    others: [0],
    effectiveAt: new Date(NOW + LIST_TIMES.effectiveMs),
  });
});

/** What a server knows of a list, how many rows it has placed by that, and how much its clock is ahead. */
interface Writer {
  stretches: readonly Stretch[];
  readAt: number;
  rows: number;
  readonly aheadMs: number;
}

/** How long a check takes until all that read the list see what it has declared. */
const DECLARING_MS = 200;

/** Fills a list that grows with time by several servers, each of which knows how it is split as long as it may trust that. */
async function grow(rows: number, rowsPerSecond: number, servers: number, seed: number) {
  const random = randomIntFrom(seed);
  let stretches: readonly Stretch[] = [INITIAL_STRETCH];
  let next = 1;
  const writers = Array.from({ length: servers }, (_, n): Writer => ({
    ...{ stretches, readAt: NOW - random(LIST_TIMES.trustedMs), rows: 0 },
    aheadMs: n % 3 === 0 ? 0 : random(2000) - 1000,
  }));
  const partitions = new Map<number, string[]>();
  const places: [key: string, bucket: number][] = [];
  const declared: { at: number; next: number; stretches: readonly Stretch[] }[] = [];
  for (let n = 0; n < rows; n++) {
    const at = NOW + (n * 1000) / rowsPerSecond;
    if (declared[0] && at >= declared[0].at) ({ stretches, next } = declared.shift() ?? { stretches, next });
    // One server stores few of the rows, so what it knows is old.
    const writer = writers[random(500) === 0 ? 0 : random(1, servers)] as Writer;
    const now = Math.floor(at + writer.aheadMs);
    const position = [new Date(now), String(n)] as const;
    const trusted = trustedAge(position, writer.stretches, new Date(now), LIST_TIMES);
    if (writer.rows++ >= FULL_ROWS / 40 || now - writer.readAt >= trusted)
      Object.assign(writer, { stretches, readAt: now, rows: 0 });
    const key = encodePosition(position);
    const stretch = stretchAt(writer.stretches, key);
    const bucket =
      now >= Number(stretch.effectiveAt) ? stretch.bucket : (stretch.others[0] ?? stretch.bucket);
    const keys = partitions.get(bucket) ?? [];
    partitions.set(bucket, keys);
    keys.push(key);
    places.push([key, bucket]);
    if (random(ROWS_PER_CHECK) > 0 || declared.length > 0) continue;
    const newest = keys
      .slice(-FULL_ROWS - 1000)
      .sort()
      .reverse()
      .slice(0, FULL_ROWS);
    const partition = { bucket, position, keys: newest, fullRows: FULL_ROWS, now: new Date(now) };
    if (!isFull(partition)) continue;
    const isEmpty = (other: number, since: string) =>
      Promise.resolve(!(partitions.get(other) ?? []).some((one) => one >= since));
    const parts = await splitList({ ...partition, stretches, next }, isEmpty);
    if (parts.length > 0)
      declared.push({ at: at + DECLARING_MS, next: next + 1, stretches: [...parts, ...stretches] });
  }
  const lost = places.filter(([key, bucket]) => {
    const stretch = stretchAt(stretches, key);
    return ![stretch.bucket, ...stretch.others].includes(bucket);
  });
  return {
    lost: lost.length,
    largest: Math.max(...Array.from(partitions.values(), (keys) => keys.length)),
    others: Math.max(...stretches.map(({ others }) => others.length)),
  };
}

test.each([
  ['100,000 replies to one tweet, 3,000 a second', 100_000, 3000, 4, 3 * FULL_ROWS],
  ['likes of one tweet, as if a million came in an hour', 150_000, 1_000_000 / 3600, 10, 3 * FULL_ROWS],
  ['likes of one tweet, 10,000 a second', 80_000, 10_000, 10, 3 * FULL_ROWS + 10 * 10_000],
  ['50,000 replies within a day', 50_000, 50_000 / 86_400, 3, 3 * FULL_ROWS],
])('%s: no partition is too large, and readers look where servers store them', async (_name, ...given) => {
  const [rows, rowsPerSecond, servers, most] = given;
  const grown = await grow(rows, rowsPerSecond, servers, 1);
  expect(grown.lost).toBe(0);
  expect(grown.largest).toBeLessThanOrEqual(most);
  expect(grown.others).toBeLessThanOrEqual(MAX_OTHERS);
});

test('nobody stores rows in the former bucket of a gap when readers begin to leave it out', () => {
  const { trustedMs, trustedForOldRowsMs, effectiveMs, storedWithinMs, settledMs } = LIST_TIMES;
  // Two clocks are right, but each in its way.
  const apart = 10_000;
  expect(trustedMs).toBeGreaterThan(trustedForOldRowsMs);
  expect(MIN_AHEAD_MS).toBeGreaterThanOrEqual(trustedForOldRowsMs);
  expect(settledMs).toBeGreaterThan(trustedMs + effectiveMs + storedWithinMs + apart);
});

test('keys are ordered as the positions are, and give the positions back', () => {
  const times = [-8.64e15, -1, 0, 1, NOW, 8.64e15].map((time) => new Date(time));
  const ids = ['-9223372036854775808', '-1', '0', '9', '10', '9223372036854775807'];
  const positions = [...times.flatMap((time) => ids.map((id) => [time, id] as const))];
  const keys = positions.map(encodePosition);
  expect([...keys].sort()).toEqual(keys);
  expect(keys.map(decodePosition)).toEqual(positions);
  const ofIds = ids.map((id) => encodePosition([id]));
  expect([...ofIds].sort()).toEqual(ofIds);
  expect(ofIds.map(decodePosition)).toEqual(ids.map((id) => [id]));
});
