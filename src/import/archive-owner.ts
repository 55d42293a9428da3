import { dirname, join } from 'node:path';
import { userOfAccount } from './records/archive';
import { withoutUndefined } from './records/given';
import { objectAt, parseObject } from './records/json';
import { readJsonElements } from './records/json-elements';
import { memberSource } from './records/json-member';
import { FileError, type Person } from './records/record';
import { RowError } from './records/row';
import { openSource } from './source';

/** The owner of the archive that a file is a part of, from the `account.js` beside it; undefined if there is none. Throws a `FileError` if it is damaged. */
export async function ownerBeside(path: string): Promise<Person | undefined> {
  const source = await openSource(join(dirname(path), 'account.js')).catch(() => undefined);
  if (source === undefined) return undefined;
  try {
    for await (const elements of readJsonElements(source.chunks))
      for (const { text, problem } of elements) {
        const account = objectAt(parseObject(text) ?? undefined, 'account');
        if (account === undefined && text.includes('"accountId"')) throw unreadable(problem ?? 'no account');
        if (account === undefined) continue;
        const { userId, username } = userOfAccount(account, () => memberSource(text, 'account'));
        return withoutUndefined({ userId, username });
      }
  } catch (error) {
    throw error instanceof RowError ? unreadable(error.message) : error;
  } finally {
    await source.close();
  }
  return undefined;
}

function unreadable(reason: string): FileError {
  return new FileError(
    `the account.js beside it, which names the owner of the archive, cannot be read: ${reason}`,
  );
}
