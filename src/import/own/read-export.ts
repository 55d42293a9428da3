import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { BlobReader, configure, ZipReader, type FileEntry } from '@zip.js/zip.js';
import { z } from 'zod';
import { isId } from '../../kit/base/ids';
import { MAX_USERNAME_CHARACTERS } from '../../features/user/user.table';
import { EXPORT_FORMAT, EXPORT_VERSION, EXPORT_MANIFEST } from '../../write/account/write-export';
import { readLines, type Line } from '../records/lines';
import { FileError } from '../records/record';

/** An export has a dozen files. */
const MAX_FILES = 50;
const MAX_MANIFEST_BYTES = 100_000;

configure({ useWebWorkers: false });

const manifestSchema = z.object({
  format: z.literal(EXPORT_FORMAT),
  version: z.literal(EXPORT_VERSION),
  userId: z.string().max(19).refine(isId),
  username: z.string().min(1).max(MAX_USERNAME_CHARACTERS),
  files: z
    .array(
      z.object({
        name: z.string().max(100),
        rows: z.int().nonnegative(),
        bytes: z.int().nonnegative(),
        sha256: z.string().length(64),
      }),
    )
    .max(MAX_FILES),
});

/** The export of a person, whose files are whole. */
export interface OpenExport {
  readonly path: string;
  readonly userId: string;
  readonly username: string;
  /** The lines of a file, in batches; none if the export does not have it. */
  lines(this: void, name: string): AsyncIterable<readonly Line[]>;
  close(this: void): Promise<void>;
}

/** Whether a file is a zip, by its first bytes. */
export async function isZip(path: string): Promise<boolean> {
  // What comes through a pipe can be read only once.
  if (!(await stat(path)).isFile()) return false;
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString('latin1') === 'PK\x03\x04';
  } finally {
    await file.close();
  }
}

/**
 * Opens an export, and reads all of it once to see that it is what its manifest says. Throws a `FileError` if it is damaged, cut off,
 * changed, or of another kind; then nothing of it may be stored.
 */
export async function openExport(path: string): Promise<OpenExport> {
  const zip = new ZipReader(new BlobReader(await openAsBlob(path)), {
    checkCrc32: true,
    checkOverlappingEntry: true,
  });
  try {
    const entries = await readEntries(zip);
    const manifest = parseManifest(await readManifest(entries.get(EXPORT_MANIFEST)));
    const names = new Set([EXPORT_MANIFEST, ...manifest.files.map(({ name }) => name)]);
    const unnamed = [...entries.keys()].find((name) => !names.has(name));
    if (unnamed !== undefined || names.size !== manifest.files.length + 1)
      throw new FileError(`the manifest must name each file once, but does not so with ${unnamed ?? 'all'}`);
    for (const file of manifest.files) await requireWhole(entries.get(file.name), file);
    const { userId, username } = manifest;
    return {
      ...{ path, userId, username },
      async *lines(name) {
        const entry = entries.get(`${name}.jsonl`);
        if (entry !== undefined) yield* readLines(bytesOf(entry));
      },
      close: () => zip.close(),
    };
  } catch (error) {
    await zip.close();
    if (error instanceof FileError) throw error;
    throw new FileError(`the zip is damaged or cut off: ${messageOf(error)}`, { cause: error });
  }
}

async function readEntries(zip: ZipReader<Blob>): Promise<ReadonlyMap<string, FileEntry>> {
  const entries = new Map<string, FileEntry>();
  for await (const entry of zip.getEntriesGenerator()) {
    if (entries.size > MAX_FILES)
      throw new FileError(`an export must have at most ${MAX_FILES} files, but this zip has more`);
    if (entry.directory || entry.encrypted || entries.has(entry.filename))
      throw new FileError(`an export has no folders, passwords and equal names, but got: ${entry.filename}`);
    entries.set(entry.filename, entry);
  }
  return entries;
}

async function readManifest(entry: FileEntry | undefined): Promise<string> {
  if (entry === undefined)
    throw new FileError(
      `this zip is no export: it has no ${EXPORT_MANIFEST}. Unpack files of other kinds first.`,
    );
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of bytesOf(entry)) {
    if ((bytes += chunk.length) > MAX_MANIFEST_BYTES)
      throw new FileError(`${EXPORT_MANIFEST} must have at most ${MAX_MANIFEST_BYTES} bytes, but has more`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parseManifest(text: string) {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    throw new FileError(`${EXPORT_MANIFEST} must be JSON, but is not`);
  }
  const { success, data, error } = manifestSchema.safeParse(given);
  if (success) return data;
  const [issue] = error.issues;
  throw new FileError(
    `${EXPORT_MANIFEST} is none of this version: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`,
  );
}

/** Throws unless a file has the bytes that the manifest says. Reads no more than that. */
async function requireWhole(
  entry: FileEntry | undefined,
  { name, rows, bytes, sha256 }: { name: string; rows: number; bytes: number; sha256: string },
): Promise<void> {
  if (entry === undefined) throw new FileError(`the manifest names ${name}, but the zip does not have it`);
  const hash = createHash('sha256');
  let [readBytes, readRows] = [0, 0];
  for await (const chunk of bytesOf(entry)) {
    if ((readBytes += chunk.length) > bytes) break;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) readRows++;
    hash.update(chunk);
  }
  if (readBytes !== bytes || readRows !== rows || hash.digest('hex') !== sha256)
    throw new FileError(`${name} is not what the manifest says: it is damaged or was changed`);
}

/** The bytes of a file, as they are decompressed: one chunk at a time, however large it is. */
async function* bytesOf(entry: FileEntry): AsyncGenerator<Buffer> {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const done = entry.getData(writable);
  // A failure ends the stream. If the stream is not read to its end, nobody waits for the rest.
  done.catch((error: unknown) => writable.abort(error).catch(() => undefined));
  for await (const { buffer, byteOffset, byteLength } of readable)
    yield Buffer.from(buffer, byteOffset, byteLength);
  await done;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
