import { INDEXED, indexParts, SEGMENT_ENTRIES } from '../kit/postings/postings.table';
import { partsOf } from './figures';
import { actsPerSecond, type Workload } from './workload';

/** Something that grows with a workload and is no table. */
interface Flow {
  readonly name: string;
  readonly unit: string;
  readonly limit: (workload: Workload) => number;
  readonly of: (workload: Workload) => number;
}

/** How many bytes a signal has on its way to NATS: its subject and its item. */
const SIGNAL_BYTES = 80;
/** How many terms a tweet has. */
const TERMS = 14;
/** The bytes of an entry in the memory of each server until it is sealed: 320, and some 60 for each term. */
const TAIL_BYTES = 320 + TERMS * 60;
/** A tail that is sealed from 10,000 entries on, when they are 40 seconds old, in steps of 10 seconds. */
const TAIL_ENTRIES = 10_000;
const TAIL_SECONDS = 50;
/** The bytes of a segment in the memory of each server, in the list of its part and in that of all parts: see `SegmentBlock`. */
const SEGMENT_BYTES = 95;
/** The most bytes that a server takes besides that. */
const SERVER_BYTES = 600e6;
const signals = (workload: Workload) => {
  const {
    push = 0,
    tweet = 0,
    notice = 0,
    like = 0,
    share = 0,
    reply = 0,
    quote = 0,
  } = actsPerSecond(workload);
  // A post is told to those who wait for its author, its place or one of its terms, a notice to its person, counts to those who look at the tweet.
  return push + (2 + TERMS) * tweet + notice + like + share + reply + quote;
};

/** Creates the flow of each list of the index, given how many entries come to it in a second. */
const ofIndex = (of: (entries: number, workload: Workload, act: string) => number) =>
  Object.entries(INDEXED).map(([what, act]) => ({
    what,
    of: (workload: Workload) => of(actsPerSecond(workload)[act] ?? 0, workload, act),
  }));

const tailBytes = ofIndex((entries) => TAIL_BYTES * (TAIL_ENTRIES + TAIL_SECONDS * entries));
const segments = ofIndex((entries, { days }) => (entries * days * 86_400) / SEGMENT_ENTRIES);
const sealing = ofIndex((entries, workload, act) => entries / partsOf(indexParts(act), workload));

/** The flows of the lists of the index. */
const flowsOf = (name: string, flow: Omit<Flow, 'name' | 'of'>, lists: ReturnType<typeof ofIndex>): Flow[] =>
  lists.map(({ what, of }) => ({ name: `${name} (${what})`, ...flow, of }));

/** The flows that are not in a table, with the most that one process or server can do. */
export const flows: readonly Flow[] = [
  // A server receives only the signals that its own subscriptions wait for.
  {
    name: 'signals',
    unit: 'signals a second that each server sends',
    limit: () => 100_000,
    of: (workload) => signals(workload) / workload.servers,
  },
  ...flowsOf(
    'sealing',
    { unit: 'entries a second that one process moves into segments', limit: () => 1500 },
    sealing,
  ),
  ...flowsOf(
    'unsealed entries',
    { unit: 'bytes in the memory of each server', limit: ({ heap }) => heap / 16 },
    tailBytes,
  ),
  ...flowsOf(
    'segments',
    {
      unit: 'segments of all time in the memory of each server',
      limit: ({ heap }) => heap / 16 / SEGMENT_BYTES,
    },
    segments,
  ),
  {
    name: 'rankings',
    unit: 'followers a second that one process reads to be done before the next rankings',
    limit: () => 30_000,
    of: (workload) => actsPerSecond(workload)['rankedFollower'] ?? 0,
  },
  { name: 'server numbers', unit: 'servers', limit: () => 1024, of: ({ servers }) => servers },
];

/** Sums that have no limit of their own. */
export function totalsOf(workload: Workload): { readonly signalBytes: number; readonly memory: number } {
  return {
    signalBytes: signals(workload) * SIGNAL_BYTES,
    memory: SERVER_BYTES + sumOf(tailBytes, workload) + SEGMENT_BYTES * sumOf(segments, workload),
  };
}

function sumOf(lists: ReturnType<typeof ofIndex>, workload: Workload): number {
  return lists.reduce((sum, { of }) => sum + of(workload), 0);
}
