import { createHash } from 'node:crypto';
import { id, optional, text } from '../cassandra/column';
import type { Database } from '../cassandra/database';
import { decideUntilWritten } from '../cassandra/decide';
import { table } from '../cassandra/table';
import { badInput, conflict } from '../base/errors';

/** What callers made with a key. */
export const idempotencyKeys = table(
  'idempotency_keys',
  { caller: text, key: text, item: optional(id), content: optional(text) },
  { partition: ['caller', 'key'] },
);

/** Seconds for which a key is good. */
const KEY_TTL_SECONDS = 7 * 86_400;
/** The bounds of a key. */
export const KEY_BOUNDS = { maxLength: 100 };

const read = 'SELECT CAST(item AS text) AS item, content FROM idempotency_keys WHERE caller = ? AND key = ?';
const claim =
  'INSERT INTO idempotency_keys (caller, key, item, content) VALUES (?, ?, ?, ?) IF NOT EXISTS USING TTL ?';

/**
 * Claims a caller's key for a new item of some content, of which a short fingerprint is kept; resolves to the item that the key stands for, which is an earlier one where the
 * key was used before. `CONFLICT` when it was used for other content, `BAD_USER_INPUT` when it is too long. Where `check`
 * throws for a new item, the key is not claimed.
 */
export function claimKey(
  database: Database,
  caller: string,
  key: string,
  content: unknown,
  item: string,
  check: () => Promise<unknown> = () => Promise.resolve(),
): Promise<string> {
  if (key === '' || key.length > KEY_BOUNDS.maxLength)
    throw badInput(`idempotencyKey must be 1 to ${KEY_BOUNDS.maxLength} characters, but got ${key.length}.`);
  const fingerprint = createHash('sha256').update(JSON.stringify(content)).digest('base64url');
  return decideUntilWritten(database, { cql: read, params: [caller, key] }, async (rows) => {
    const before = rows[0] as { item: string; content: string } | undefined;
    if (before === undefined) {
      await check();
      return { writes: [{ query: claim, params: [caller, key, item, fingerprint, KEY_TTL_SECONDS] }], result: item };
    }
    if (before.content !== fingerprint)
      throw conflict(`The idempotency key ${JSON.stringify(key)} was used with other content.`);
    return { writes: [], result: before.item };
  });
}
