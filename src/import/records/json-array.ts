import { JsonStructure, isSpace } from './json-structure';
import { decode, shownOf, withoutByteOrderMark, type Line } from './lines';

const [comma, openArray, closeArray, lineFeed] = [0x2c, 0x5b, 0x5d, 0x0a];
/** No tweet object is nearly this long: a longer element is one whose end was not found. */
const MAX_ELEMENT_BYTES = 1024 * 1024;
/** Longer than a comma, white space and the opening of an element, so that none is missed between two chunks. */
const OVERLAP_BYTES = 512;

/**
 * Streams the elements of one JSON array of any size, each as the exact text in the file.
 *
 * If strings and brackets do not match, the broken element comes with a `problem`, and reading goes on after the next
 * comma that is followed by the opening of the elements before (`{"created_at"`, say). So a damaged element costs only
 * itself.
 */
export async function* readJsonArray(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly Line[]> {
  const reader = new ArrayReader();
  for await (const chunk of withoutByteOrderMark(chunks)) {
    const elements = reader.push(chunk);
    if (elements.length > 0) yield elements;
  }
  yield reader.end();
}

class ArrayReader {
  private state: 'before' | 'between' | 'inside' | 'lost' | 'after' = 'before';
  /** Bytes that were read but not yet returned; inside an element they begin with that element. */
  private bytes: Buffer = Buffer.alloc(0);
  private at = 0;
  /** The number of the line in which `bytes` begins. */
  private line = 1;
  private structure = new JsonStructure();
  private opening = '{';
  private elements: Line[] = [];

  push(chunk: Buffer): Line[] {
    this.bytes = this.bytes.length === 0 ? chunk : Buffer.concat([this.bytes, chunk]);
    while (this.at < this.bytes.length) {
      if (this.state === 'inside') this.inside();
      else if (this.state !== 'lost') this.between();
      else if (!this.found()) break;
    }
    if (this.state === 'inside') {
      if (this.bytes.length > MAX_ELEMENT_BYTES)
        this.breakOff(this.bytes.length, `an element of more than ${MAX_ELEMENT_BYTES} bytes`, 0);
    } else if (this.state !== 'lost') {
      this.drop(this.at);
    }
    return this.elements.splice(0);
  }

  end(): Line[] {
    const last: Line[] = [];
    while (this.state === 'inside') {
      this.breakOff(this.bytes.length, 'the file ends inside an element', 0);
      last.push(...this.push(Buffer.alloc(0)));
    }
    if (this.state === 'between') this.report('the file ends before the array does', '');
    return [...last, ...this.elements];
  }

  private between(): void {
    const byte = this.bytes[this.at] ?? 0;
    if (isSpace(byte) || (byte === comma && this.state === 'between')) {
      this.at += 1;
    } else if (byte === openArray && this.state === 'before') {
      this.at += 1;
      this.state = 'between';
    } else if (byte === closeArray && this.state === 'between') {
      this.at += 1;
      this.state = 'after';
    } else if (this.state === 'between') {
      this.begin(this.at);
    } else {
      this.drop(this.at);
      this.report(
        this.state === 'before' ? 'no array' : 'text after the end of the array',
        shownOf(this.bytes.subarray(0, 1)),
      );
      [this.state, this.opening] = ['lost', ''];
    }
  }

  private begin(at: number): void {
    this.drop(at);
    this.structure = new JsonStructure();
    this.state = 'inside';
  }

  private inside(): void {
    const end = this.structure.read(this.bytes, this.at);
    if (end === null) {
      this.at = this.bytes.length;
    } else if (this.structure.problem !== null) {
      this.breakOff(end, this.structure.problem);
    } else {
      const element = this.bytes.subarray(0, end);
      this.elements.push(decode(element, this.line));
      this.opening = openingOf(element) ?? this.opening;
      this.drop(end);
      this.state = 'between';
    }
  }

  /**
   * Reports the bytes before `end` as broken and looks for the next element: from `from`, else from the last comma
   * before `end`. Callers that never found the end of the element pass 0, because it may have swallowed whole elements.
   */
  private breakOff(end: number, problem: string, from?: number): void {
    const broken = this.bytes.subarray(0, end);
    if (this.opening === '{') this.opening = openingOf(broken) ?? '{';
    this.report(problem, shownOf(this.bytes.subarray(0, end + 1)));
    this.state = 'lost';
    this.drop(from ?? Math.max(0, broken.lastIndexOf(comma)));
  }

  /** Goes to where the next element opens; false if that is not among the bytes read so far. */
  private found(): boolean {
    const pattern = new RegExp(`,[ \\t\\r\\n]*(?=${escapePattern(this.opening)})`);
    const match = this.opening === '' ? null : pattern.exec(this.bytes.toString('latin1'));
    if (match === null) this.drop(Math.max(0, this.bytes.length - OVERLAP_BYTES));
    else this.begin(match.index + match[0].length);
    return match !== null;
  }

  private report(problem: string, text: string): void {
    this.elements.push({ line: this.line, text, problem });
  }

  /** Forgets the first `count` bytes. */
  private drop(count: number): void {
    const gone = this.bytes.subarray(0, count);
    for (let at = gone.indexOf(lineFeed); at !== -1; at = gone.indexOf(lineFeed, at + 1)) this.line += 1;
    this.bytes = this.bytes.subarray(count);
    this.at = 0;
  }
}

/** The beginning of an object, up to the closing quote of its first name; null if it has none. */
function openingOf(element: Buffer): string | null {
  return /^\{[ \t\r\n]*"[^"\\]{0,64}"/.exec(element.toString('latin1', 0, 200))?.[0] ?? null;
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
