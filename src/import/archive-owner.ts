import { dirname, join } from 'node:path';
import { userOfAccount } from './records/archive';
import { given } from './records/given';
import { objectAt, parseObject } from './records/json';
import { readJsonElements } from './records/json-elements';
import type { Person } from './records/record';
import { RowError } from './records/row';
import { openSource } from './source';

/** The owner of the archive that a file is a part of, from the `account.js` beside it; undefined if there is none. */
export async function ownerBeside(path: string): Promise<Person | undefined> {
  const source = await openSource(join(dirname(path), 'account.js')).catch(() => undefined);
  if (source === undefined) return undefined;
  try {
    for await (const elements of readJsonElements(source.chunks))
      for (const { text } of elements) {
        const account = objectAt(parseObject(text) ?? undefined, 'account');
        if (account === undefined) continue;
        const { userId, username } = userOfAccount(account);
        return given({ userId, username });
      }
  } catch (error) {
    if (!(error instanceof RowError)) throw error;
  } finally {
    await source.close();
  }
  return undefined;
}
