import { isUtf8 } from 'node:buffer';

/** One line of a file, or one element of a JSON document. */
export interface Line {
  /** The number of the line where it begins, counted from 1. */
  readonly line: number;
  /** The text without its line end. */
  readonly text: string;
  /** The line end; absent at the end of the file. */
  readonly end?: LineEnd;
  /** Why it cannot be read; `text` is then only what an error message can show of it. */
  readonly problem?: string;
}

type LineEnd = '\n' | '\r\n' | '\r';

const [lineFeed, carriageReturn] = [0x0a, 0x0d];
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const MAX_SHOWN_BYTES = 1000;

/**
 * Streams the lines of a file, one chunk's worth at a time, without a byte order mark. Lines end with LF, CR LF or CR, also in one
 * file: spreadsheets and old programs write all three. A line that is not UTF-8 or is longer than `limit` bytes (16 MiB by default)
 * comes with a `problem`; the rest of a line that is too long is dropped as it arrives, so that memory stays flat.
 */
export async function* readLines(
  chunks: AsyncIterable<Buffer>,
  limit: number = MAX_LINE_BYTES,
): AsyncGenerator<readonly Line[]> {
  let line = 1;
  let open: Buffer[] = [];
  let openBytes = 0;
  let dropping = false;

  for await (const chunk of withWholeLineEnds(withoutByteOrderMark(chunks))) {
    const end = lastLineEnd(chunk);
    const lines: Line[] = [];
    let start = 0;
    if (dropping && end > 0) {
      dropping = false;
      start = firstLineEnd(chunk);
    }
    if (end > start) {
      const block =
        open.length === 0 ? chunk.subarray(start, end) : Buffer.concat([...open, chunk.subarray(start, end)]);
      [open, openBytes] = [[], 0];
      for (const one of splitBlock(block, line)) lines.push(one);
      line += lines.length;
    }
    if (!dropping && end < chunk.length) {
      open.push(chunk.subarray(end));
      openBytes += chunk.length - end;
    }
    if (openBytes > limit) {
      lines.push({ line, text: describeBytes(Buffer.concat(open)), problem: `longer than ${limit} bytes` });
      line += 1;
      [open, openBytes, dropping] = [[], 0, true];
    }
    if (lines.length > 0) yield lines;
  }
  if (openBytes > 0) yield [decodeText(Buffer.concat(open), line)];
}

/** The lines of `bytes`, of which the last one may have no line end. */
export function linesIn(bytes: Buffer): Line[] {
  const end = lastLineEnd(bytes);
  const lines = end === 0 ? [] : splitBlock(bytes.subarray(0, end), 1);
  return end === bytes.length ? lines : [...lines, decodeText(bytes.subarray(end), lines.length + 1)];
}

/** Decodes `bytes`; the line has a `problem` if they are not valid UTF-8. */
export function decodeText(bytes: Buffer, line: number): Line {
  if (isUtf8(bytes)) return { line, text: bytes.toString() };
  return { line, text: bytes.toString(), problem: 'not valid UTF-8' };
}

/** The first 1,000 bytes of a value that is too long to show, as text. */
export function describeBytes(bytes: Buffer): string {
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
    yield withoutMark(head);
    head = null;
  }
  if (head !== null) yield head;
}

/** The beginning of a file without its byte order mark. */
export function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/** `chunks` cut so that none ends between the CR and the LF of one line end. */
async function* withWholeLineEnds(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let kept: Buffer | null = null;
  for await (const chunk of chunks) {
    const bytes: Buffer = kept === null ? chunk : Buffer.concat([kept, chunk]);
    const isOpen = bytes.at(-1) === carriageReturn;
    kept = isOpen ? bytes.subarray(-1) : null;
    const whole = isOpen ? bytes.subarray(0, -1) : bytes;
    if (whole.length > 0) yield whole;
  }
  if (kept !== null) yield kept;
}

/** The offset after the last line end; 0 if there is none. */
function lastLineEnd(bytes: Buffer): number {
  return Math.max(bytes.lastIndexOf(lineFeed), bytes.lastIndexOf(carriageReturn)) + 1;
}

/** The offset after the first line end, which must be there. */
function firstLineEnd(bytes: Buffer): number {
  const [feed, carriage] = [bytes.indexOf(lineFeed), bytes.indexOf(carriageReturn)];
  if (carriage === -1 || (feed !== -1 && feed < carriage)) return feed + 1;
  return feed === carriage + 1 ? feed + 1 : carriage + 1;
}

/** Splits a block that ends with a line end. It is decoded as a whole if all of it is UTF-8, which is nearly always so and faster. */
function splitBlock(block: Buffer, first: number): Line[] {
  if (isUtf8(block)) return splitText(block.toString(), first);
  // Latin-1 has one character for each byte, so the lines of its text are those of the bytes.
  return splitText(block.toString('latin1'), first).map(({ line, text, end = '\n' }) => ({
    ...decodeText(Buffer.from(text, 'latin1'), line),
    end,
  }));
}

function splitText(text: string, first: number): Line[] {
  const lines: Line[] = [];
  if (!text.includes('\r')) {
    for (let start = 0; start < text.length;) {
      const at = text.indexOf('\n', start);
      lines.push({ line: first + lines.length, text: text.slice(start, at), end: '\n' });
      start = at + 1;
    }
    return lines;
  }
  let start = 0;
  for (const { 0: end, index } of text.matchAll(/\r\n|\n|\r/g)) {
    lines.push({ line: first + lines.length, text: text.slice(start, index), end: end as LineEnd });
    start = index + end.length;
  }
  return lines;
}
