import { basename } from 'node:path';
import { users } from '../../features/user/user.table';
import { isBlank } from '../../kit/input/input-text';
import { createLoad } from '../../kit/reads/load';
import type { WriteServices } from '../../write/write-services';
import type { Import } from '../import-file';
import { storeRows } from '../import-file';
import { createProgress } from '../progress';
import type { Line } from '../records/lines';
import { FileError, type Parsed, type UserRecord } from '../records/record';
import { parsedRow, RowError } from '../records/row';
import { findDeletedAccounts } from '../store/deleted-accounts';
import type { Outcome } from '../store/outcome';
import { acts, isActFile, type ActFile } from './acts';
import { parseLine, type FileName } from './lines';
import { openExport, type OpenExport } from './read-export';
import { recordsOf, type Owner } from './records';

/** How many lines, and characters of them, are stored at a time, which bounds memory. */
const LINES_AT_ONCE = 2000;
const TEXT_AT_ONCE = 16_000_000;

/** The services of an import of exports. */
interface ExportImport extends Import {
  readonly services: WriteServices;
  /** Tells why a file is refused as a whole. */
  fail(this: void, path: string, error: unknown): void;
}

/**
 * Imports exports of people. First all profiles are stored, then their posts and follows, then everything else, because that is about
 * tweets and people who may be in another one of the files. A line does not name its person: each stored act is that of the person whose
 * export it is.
 */
export async function importExports(paths: readonly string[], into: ExportImport): Promise<void> {
  const opened: OpenExport[] = [];
  const attempt = async (one: { readonly path: string }, work: () => Promise<void>) => {
    try {
      await work();
      return true;
    } catch (error) {
      into.fail(one.path, error);
      return false;
    }
  };
  for (const path of paths)
    await attempt({ path }, async () => {
      const one = await openExport(path);
      opened.push(one);
    });
  try {
    let taken: readonly OpenExport[] = await keepThose(opened, (one) =>
      attempt(one, () => importProfile(one, into)),
    );
    // Those whom they follow are looked for by name.
    await into.store.flush();
    taken = await keepThose(taken, (one) =>
      attempt(one, async () => {
        for (const name of ['tweets', 'following'] as const) await importRecords(one, name, into);
      }),
    );
    into.summary.settle(await into.store.settle());
    for (const name of Object.keys(acts).filter(isActFile))
      taken = await keepThose(taken, (one) => attempt(one, () => importActs(one, name, into)));
  } finally {
    for (const one of opened) await one.close();
  }
}

async function keepThose<T>(all: readonly T[], isKept: (one: T) => Promise<boolean>): Promise<T[]> {
  const kept: T[] = [];
  for (const one of all) if (await isKept(one)) kept.push(one);
  return kept;
}

/** Stores the profile of the person, unless the person is here. Throws a `FileError` if somebody else has the id or the name. */
async function importProfile(one: OpenExport, into: ExportImport): Promise<void> {
  const { path, userId, username } = one;
  const { database } = into.services;
  const profile = await readProfile(one);
  const [user, deleted] = await Promise.all([
    createLoad(database)(users.get, { userId }),
    findDeletedAccounts(database, [userId]),
  ]);
  if (deleted.has(userId))
    throw new FileError(`the account of ${username} was deleted here, or is to be: nothing brings it back`);
  if (user !== null && user.username.toLowerCase() !== username.toLowerCase())
    throw new FileError(`the export is of ${username}, but user ${userId} is ${user.username} here`);
  const { kind, name, description, twitterAccount, createdAt } = profile;
  const record: UserRecord = {
    ...{ kind, userId, username, name, onTwitter: false },
    ...(description !== undefined && { description }),
    ...(createdAt !== undefined && { createdAt }),
    ...(twitterAccount !== undefined && { twitterAccount }),
  };
  const [outcome] = await into.store.add([record], () => {
    into.summary.drop('twitterAccount');
  });
  if (typeof outcome === 'object' && user === null) throw new FileError(outcome.refused);
  if (typeof outcome !== 'object') into.summary.take(outcome ?? 'unchanged');
  else await reject(into, `${path}/profile.jsonl`, 1, outcome.refused, JSON.stringify(record));
}

async function readProfile({ lines, userId, username }: OpenExport): Promise<UserRecord> {
  let read: UserRecord | undefined;
  for await (const batch of lines('profile'))
    for (const line of batch) {
      if (read !== undefined) throw new FileError('profile.jsonl must have one line, but has more');
      const { name, description, twitterAccount, ...profile } = parseProfile(line);
      read = {
        ...{ ...profile, kind: 'user', onTwitter: false },
        // As in other formats, a text that shows nothing counts as missing.
        name: isBlank(name) ? username : name,
        ...(description !== null && !isBlank(description) && { description }),
        ...(twitterAccount !== null && { twitterAccount }),
      };
    }
  if (read?.userId !== userId || read.username !== username)
    throw new FileError('the manifest and profile.jsonl must name the same person, but do not');
  return read;
}

function parseProfile({ text }: Line) {
  try {
    return parseLine('profile', text);
  } catch (error) {
    if (error instanceof RowError) throw new FileError(`profile.jsonl: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Imports the lines of a file that are records of other formats, too. */
async function importRecords(
  one: OpenExport,
  name: 'tweets' | 'following',
  into: ExportImport,
): Promise<void> {
  const owner: Owner = { userId: one.userId, username: one.username };
  for await (const batch of batchesOf(one, name, into)) {
    const make = await recordsOf(into.services.database, owner, name, batch);
    const rows = batch.map((line): Parsed => {
      const { problem } = line;
      if (problem !== undefined) return { line: line.line, rejected: problem, source: line.text };
      return parsedRow(line.line, line.text, () => make(line.text));
    });
    const isHere = (row: Parsed) => 'records' in row && row.records.length === 0;
    for (const row of rows) if (isHere(row)) into.summary.take('unchanged');
    await storeRows(
      rows.filter((row) => !isHere(row)),
      `${one.path}/${name}.jsonl`,
      into,
    );
  }
}

/** Imports the lines of a file that are acts. */
async function importActs(one: OpenExport, name: ActFile, into: ExportImport): Promise<void> {
  const file = `${one.path}/${name}.jsonl`;
  for await (const batch of batchesOf(one, name, into)) {
    const outcomes: Outcome[] = await acts[name](into.services, one.userId, batch);
    for (const [index, line] of batch.entries()) {
      const outcome = outcomes[index] ?? 'unchanged';
      if (typeof outcome === 'object') await reject(into, file, line.line, outcome.refused, line.text);
      else into.summary.take(outcome);
    }
  }
}

async function reject(
  { summary, rejects }: Import,
  file: string,
  line: number,
  reason: string,
  source: string,
): Promise<void> {
  summary.reject(reason);
  await rejects.add(file, line, reason, source);
}

/** The lines of a file, in batches that are stored together. */
async function* batchesOf(
  { path, lines }: OpenExport,
  name: FileName,
  { summary }: Import,
): AsyncGenerator<readonly Line[]> {
  const progress = createProgress(process.stderr, Infinity, `${basename(path)}: ${name}`);
  const rejectedBefore = summary.rejected;
  let pending: Line[] = [];
  let [text, done] = [0, 0];
  const take = () => {
    const batch = pending;
    pending = [];
    text = 0;
    progress.update((done += batch.length), done, summary.rejected - rejectedBefore);
    return batch;
  };
  try {
    for await (const some of lines(name))
      for (const line of some) {
        pending.push(line);
        text += line.text.length;
        if (pending.length >= LINES_AT_ONCE || text >= TEXT_AT_ONCE) yield take();
      }
    if (pending.length > 0) yield take();
  } finally {
    progress.end();
  }
}
