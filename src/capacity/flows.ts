import { INDEX_PARTS, SEGMENT_ENTRIES } from '../kit/postings/postings.table';
import { partsOf } from './figures';
import { actsPerSecond, reachOf, type Workload } from './workload';

/** Something that grows with a workload and is no table. */
export interface Flow {
  readonly name: string;
  readonly unit: string;
  readonly limit: (workload: Workload) => number;
  readonly of: (workload: Workload) => number;
}

/** How many bytes a signal has on its way to NATS: its subject and its item. */
const SIGNAL_BYTES = 80;
/** How many terms a tweet has. */
const TERMS = 14;
/** What an entry takes in the memory of each server until it is sealed: 320 bytes, and some 60 for each term. */
const TAIL_BYTES = 320 + TERMS * 60;
/** A tail that is sealed from 10,000 entries on, when they are 40 seconds old, in steps of 10 seconds. */
const TAIL_ENTRIES = 10_000;
const TAIL_SECONDS = 50;
/** What a segment takes in the memory of each server. */
const SEGMENT_BYTES = 330;
/** What a server takes at most beside that. */
const SERVER_BYTES = 600e6;
/** How many accounts a ranking has. */
const RANKED = 100;

const signals = (workload: Workload) => {
  const { push = 0, tweet = 0, notice = 0 } = actsPerSecond(workload);
  // A post is told to those who wait for its author, its place or one of its terms, a notice to its person.
  return push + (2 + TERMS) * tweet + notice;
};
const tailBytes = (workload: Workload) => {
  const { indexed = 0 } = actsPerSecond(workload);
  return TAIL_BYTES * (TAIL_ENTRIES + TAIL_SECONDS * indexed);
};

const segments = (workload: Workload) => {
  const { indexed = 0 } = actsPerSecond(workload);
  return (indexed * workload.days * 86_400) / SEGMENT_ENTRIES;
};

/** What is not in a table, with what one process or server can do. */
export const flows: readonly Flow[] = [
  // Of what others send, a server gets what somebody on it waits for.
  {
    name: 'signals',
    unit: 'signals a second that each server sends',
    limit: () => 100_000,
    of: (workload) => signals(workload) / workload.servers,
  },
  {
    name: 'sealing',
    unit: 'entries a second that one process moves into segments',
    limit: () => 1500,
    of: (workload) => (actsPerSecond(workload)['indexed'] ?? 0) / partsOf(INDEX_PARTS, workload),
  },
  {
    name: 'unsealed entries',
    unit: 'bytes in the memory of each server',
    limit: ({ heap }) => heap / 16,
    of: tailBytes,
  },
  // Some 50 milliseconds of work.
  {
    name: 'segments',
    unit: 'segments of all time that each server looks through after each change',
    limit: () => 200_000,
    of: segments,
  },
  {
    name: 'rankings',
    unit: 'followers a second that one process reads to be done before the next rankings',
    limit: () => 30_000,
    of: (workload) => (RANKED * reachOf('follow', workload)) / (workload.rankingHours * 3600),
  },
  { name: 'server numbers', unit: 'servers', limit: () => 1024, of: ({ servers }) => servers },
];

/** Sums that have no limit of their own. */
export function totalsOf(workload: Workload): { readonly signalBytes: number; readonly memory: number } {
  return {
    signalBytes: signals(workload) * SIGNAL_BYTES,
    memory: SERVER_BYTES + tailBytes(workload) + SEGMENT_BYTES * segments(workload),
  };
}
