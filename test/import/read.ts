import type { Format, ImportRecord, Parsed, TweetRecord } from '../../src/import/records/record';

/** What a format makes of `input`, given to it in chunks of `chunkSize` bytes. */
export async function readAll(
  format: Format,
  input: string | Uint8Array,
  chunkSize = 1 << 16,
): Promise<Parsed[]> {
  const parsed: Parsed[] = [];
  for await (const rows of format.read(chunked(input, chunkSize))) parsed.push(...rows);
  return parsed;
}

export async function* chunked(input: string | Uint8Array, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(input);
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

export function recordsIn(parsed: readonly Parsed[]): ImportRecord[] {
  return parsed.flatMap((row) => ('records' in row ? row.records : []));
}

export function rejectsIn(parsed: readonly Parsed[]): { line: number; rejected: string; source: string }[] {
  return parsed.flatMap((row) => ('rejected' in row ? [row] : []));
}

export function tweetsIn(parsed: readonly Parsed[]): TweetRecord[] {
  return recordsIn(parsed).flatMap((record) => (record.kind === 'tweet' ? [record] : []));
}

/** The only tweet in `parsed`. */
export function onlyTweet(parsed: readonly Parsed[]): TweetRecord {
  const [tweet, ...others] = tweetsIn(parsed);
  if (tweet === undefined || others.length > 0)
    throw new Error(`one tweet expected, but got: ${JSON.stringify(parsed)}`);
  return tweet;
}
