import { isUtf8 } from 'node:buffer';

/** One line of a file, or one element of a JSON array. */
export interface Line {
  /** The number of the line where it begins, counted from 1. */
  readonly line: number;
  /** The text without its line feed; a carriage return before it is kept. */
  readonly text: string;
  /** Why it cannot be read; `text` is then only what an error message can show of it. */
  readonly problem?: string;
}

const lineFeed = 0x0a;
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const MAX_SHOWN_BYTES = 1000;

/**
 * Streams the lines of a file, one chunk's worth at a time, without a byte order mark. A line that is not UTF-8 or is
 * longer than `limit` bytes (16 MiB by default) comes with a `problem`; the rest of a line that is too long is dropped
 * as it arrives, so that memory stays flat.
 */
export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  limit: number = MAX_LINE_BYTES,
): AsyncGenerator<readonly Line[]> {
  let line = 1;
  let open: Buffer[] = [];
  let openBytes = 0;
  let dropping = false;

  for await (const chunk of withoutByteOrderMark(chunks)) {
    const end = chunk.lastIndexOf(lineFeed) + 1;
    const first = chunk.indexOf(lineFeed) + 1;
    const lines: Line[] = [];
    let start = 0;
    if (dropping && end > 0) {
      dropping = false;
      start = first;
    }
    if (end > start) {
      const block =
        open.length === 0 ? chunk.subarray(start, end) : Buffer.concat([...open, chunk.subarray(start, end)]);
      [open, openBytes] = [[], 0];
      lines.push(...splitBlock(block.subarray(0, -1), line));
      line += lines.length;
    }
    if (!dropping && end < chunk.length) {
      open.push(chunk.subarray(end));
      openBytes += chunk.length - end;
    }
    if (openBytes > limit) {
      lines.push({ line, text: shownOf(Buffer.concat(open)), problem: `longer than ${limit} bytes` });
      line += 1;
      [open, openBytes, dropping] = [[], 0, true];
    }
    if (lines.length > 0) yield lines;
  }
  if (openBytes > 0) yield [decode(Buffer.concat(open), line)];
}

/** Decodes `bytes`; the line has a `problem` if they are not valid UTF-8. */
export function decode(bytes: Buffer, line: number): Line {
  if (isUtf8(bytes)) return { line, text: bytes.toString() };
  return { line, text: bytes.toString(), problem: 'not valid UTF-8' };
}

/** The first 1,000 bytes of a value that is too long to show, as text. */
export function shownOf(bytes: Buffer): string {
  return bytes.toString('utf8', 0, MAX_SHOWN_BYTES);
}

/** `chunks` without the byte order mark that spreadsheets put at the start of a file. */
export async function* withoutByteOrderMark(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let head: Buffer | null = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (head === null) {
      yield chunk;
      continue;
    }
    head = Buffer.concat([head, chunk]);
    if (head.length < 3) continue;
    yield startsWithMark(head) ? head.subarray(3) : head;
    head = null;
  }
  if (head !== null) yield head;
}

function startsWithMark(bytes: Buffer): boolean {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
}

/** Decodes the block as a whole if all of it is valid UTF-8, which is nearly always so and faster. */
function splitBlock(block: Buffer, first: number): Line[] {
  if (isUtf8(block))
    return block
      .toString()
      .split('\n')
      .map((text, index) => ({ line: first + index, text }));
  const lines: Line[] = [];
  for (let start = 0; start <= block.length;) {
    const found = block.indexOf(lineFeed, start);
    const end = found === -1 ? block.length : found;
    lines.push(decode(block.subarray(start, end), first + lines.length));
    start = end + 1;
  }
  return lines;
}
