import { blob, idOf, int, label, optional, text, timestamp } from '../../kit/cassandra/column';
import { table, without, type Row } from '../../kit/cassandra/table';

/** The greatest size of a claim of a token in bytes: a token comes in a header, and all headers have at most 16 KiB. */
const MAX_CLAIM_BYTES = 16_384;
/** The greatest size of the counts of a receipt in bytes. */
const MAX_COUNTS_BYTES = 20_000;

/**
 * The requested deletions of accounts. Only lightweight transactions write this. `issuer` and `subject` name the identity that asked for
 * it.
 */
export const accountDeletions = table(
  'account_deletions',
  {
    userId: idOf('User'),
    state: optional(label),
    requestedAt: optional(timestamp),
    startsAt: optional(timestamp),
    changedAt: optional(timestamp),
    issuer: optional(text(MAX_CLAIM_BYTES)),
    subject: optional(text(MAX_CLAIM_BYTES)),
  },
  {
    role: { kind: 'truth', why: 'it decides which accounts are deleted' },
    writeLoad: { rows: { leaving: 1 }, transactions: { leaving: 2 }, bytes: 100, spread: { over: 'acts' } },
    partition: ['userId'],
  },
);

/** The deletion of an account, as it is stored. */
type AccountDeletionRow = Row<typeof accountDeletions>;

/** The users who are leaving, and those who are not any more, in the order of time: the last row of a user counts. */
export const leavingUsers = table(
  'leaving_users',
  { month: int, changedAt: timestamp, userId: idOf('User'), startsAt: optional(timestamp) },
  {
    role: { kind: 'truth', why: 'it says whose accounts are being deleted' },
    writeLoad: {
      rows: { leaving: 1 },
      bytes: 40,
      spread: { over: 'time', seconds: 31 * 86_400 },
      reads: { everySeconds: 2, seconds: 4 },
    },
    partition: ['month'],
    clustering: ['changedAt', 'userId'],
    order: 'asc',
  },
);

/** The receipts of deletions. The key is the result of `receiptOf`. */
export const deletionReceipts = table(
  'deletion_receipts',
  {
    receipt: label,
    requestedAt: timestamp,
    startedAt: timestamp,
    finishedAt: timestamp,
    counts: text(MAX_COUNTS_BYTES),
  },
  {
    role: { kind: 'truth', why: 'it says what deletions removed' },
    writeLoad: { rows: { leaving: 1 }, bytes: 2000, spread: { over: 'acts' } },
    partition: ['receipt'],
  },
);

/** Whether an account is being deleted, or is to be. */
export function isLeaving(row: AccountDeletionRow | null): row is AccountDeletionRow & {
  readonly requestedAt: Date;
  readonly startsAt: Date;
} {
  return row !== null && row.state !== 'cancelled' && row.requestedAt !== null && row.startsAt !== null;
}

/** The greatest size of the lines of a chunk in bytes: a long record of a tweet beside shorter lines. */
export const MAX_CHUNK_BYTES = 3_000_000;

/** Exports of people's data: one that the user asked for, and one of `npm run export`. Only lightweight transactions write this. */
export const accountExports = table(
  'account_exports',
  {
    userId: idOf('User'),
    askedBy: label,
    run: optional(label),
    requestedAt: optional(timestamp),
    expiresAt: optional(timestamp),
    finishedAt: optional(timestamp),
    chunks: optional(int),
    rows: optional(int),
  },
  {
    role: { kind: 'truth', why: 'it says how far exports are' },
    writeLoad: {
      rows: { export: 1 },
      transactions: { export: 3 },
      bytes: 120,
      spread: { over: 'acts' },
      most: 2,
    },
    partition: ['userId'],
    clustering: ['askedBy'],
    order: 'asc',
  },
);

/** The chunks of exports, in the order in which they were written. Only lightweight transactions write this. */
export const exportChunks = table(
  'export_chunks',
  {
    ...{ userId: idOf('User'), run: label, bucket: int, number: int },
    ...{ part: label, after: label, rows: int, totalRows: int, lines: blob(MAX_CHUNK_BYTES) },
  },
  {
    role: { kind: 'truth', why: 'it holds what was exported at a moment' },
    writeLoad: {
      rows: { export: 1 },
      transactions: { export: 1 },
      bytes: 500000,
      spread: { over: 'people' },
      most: 20,
      keptSeconds: 7 * 86_400,
    },
    partition: ['userId', 'run', 'bucket'],
    clustering: ['number'],
    order: 'asc',
  },
);

/** The same without what is in them. */
export const exportChunkHeads = without(exportChunks, 'lines');
