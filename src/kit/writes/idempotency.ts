import { createHash } from 'node:crypto';
import { holding, idOf, label, optional, text } from '../cassandra/column';
import type { Database } from '../cassandra/database';
import { decideUntilWritten } from '../cassandra/decide';
import { table } from '../cassandra/table';
import { badArgument, conflict } from '../base/errors';
import { checkWellFormed } from '../input/input-text';

/** The greatest size of the name of a caller in bytes: an issuer and a subject, which come in a header. */
const MAX_CALLER_BYTES = 32_768;
/** The bounds of an idempotency key. */
export const KEY_BOUNDS = { maxLength: 100 };
/** The argument that gives a key. */
const KEY = 'input.idempotencyKey';

/** The items that callers have created, by idempotency key. */
export const idempotencyKeys = table(
  'idempotency_keys',
  {
    caller: holding(text(MAX_CALLER_BYTES), 'User'),
    key: text(3 * KEY_BOUNDS.maxLength),
    item: optional(idOf('User', 'Tweet', 'Article', 'Comment')),
    content: optional(label),
  },
  {
    role: { kind: 'truth', why: 'it decides which tweet a key created' },
    writeLoad: {
      rows: { keyedPost: 1 },
      transactions: { keyedPost: 1 },
      bytes: 120,
      spread: { over: 'acts' },
      keptSeconds: 7 * 86_400,
    },
    partition: ['caller', 'key'],
  },
);

/** How long a key is kept. */
const KEY_TTL_SECONDS = 7 * 86_400;

const read = 'SELECT CAST(item AS text) AS item, content FROM idempotency_keys WHERE caller = ? AND key = ?';
const claim =
  'INSERT INTO idempotency_keys (caller, key, item, content) VALUES (?, ?, ?, ?) IF NOT EXISTS USING TTL ?';

/** Whether a caller has used an idempotency key before. */
export async function isKeyUsed(database: Database, caller: string, key: string): Promise<boolean> {
  return key !== '' && (await database.read(read, [caller, key])).length > 0;
}

/**
 * Claims a caller's idempotency key for a new item, by a lightweight transaction, and stores a hash of the item's content
 * with it. Resolves to the item that the key stands for: the new one, or the earlier one if the key was used before. Rejects
 * with `CONFLICT` if the key was used with other content, and with `BAD_USER_INPUT` if it is empty, too long or has a lone
 * surrogate. `check` throws if a new item is not allowed; then the key is not claimed. It may be called several times, so it must
 * do its work once.
 */
export async function claimKey(
  database: Database,
  caller: string,
  key: string,
  content: unknown,
  item: string,
  check: () => Promise<unknown> = () => Promise.resolve(),
): Promise<string> {
  if (key === '' || key.length > KEY_BOUNDS.maxLength)
    throw badArgument(
      KEY,
      `must be 1 to ${KEY_BOUNDS.maxLength} characters (UTF-16 code units), but got ${key.length}.`,
    );
  checkWellFormed(KEY, key);
  const fingerprint = createHash('sha256').update(JSON.stringify(content)).digest('base64url');
  const claiming = { query: claim, params: [caller, key, item, fingerprint, KEY_TTL_SECONDS] };
  // Most keys are new, so the claim is tried without reading first. If it fails, the key is read below.
  const isNew = await check()
    .then(() => database.compareAndWrite([claiming]))
    .catch(() => false);
  if (isNew) return item;
  return decideUntilWritten(database, { cql: read, params: [caller, key] }, async (rows) => {
    const before = rows[0] as { item: string; content: string } | undefined;
    if (before === undefined) {
      await check();
      return { writes: [claiming], result: item };
    }
    if (before.content !== fingerprint)
      throw conflict(`The idempotency key ${JSON.stringify(key)} was used with other content before.`);
    return { writes: [], result: before.item };
  });
}
