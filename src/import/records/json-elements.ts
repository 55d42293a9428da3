import { JsonStructure, isSpace } from './json-structure';
import { decodeText, describeBytes, withoutByteOrderMark, type Line } from './lines';
import {
  answerMembers,
  elementLists,
  includedLists,
  isAnswer,
  MAX_OPENING_BYTES,
  otherIncludes,
} from './twitter-answers';

const [comma, openArray, closeArray, openObject, closeObject] = [0x2c, 0x5b, 0x5d, 0x7b, 0x7d];
const [semicolon, lineFeed, carriageReturn] = [0x3b, 0x0a, 0x0d];
/** The longest element. No tweet object is nearly as long: a longer element is one whose end was not found. */
const MAX_ELEMENT_BYTES = 1024 * 1024;
/** How far the opening of the element before is searched for, which is less than what shows the format of a file. */
const SEARCHED_BYTES = 48 * 1024;
/** How many places are tried as the beginning of an element where that opening is not found. */
const MAX_CANDIDATES = 64;
/** More bytes than a comma, white space and the opening of an element, so that none is missed between two chunks. */
const OVERLAP_BYTES = 512;
const assignment = /^(?:(?:var|let|const) +)?[A-Za-z_$][\w$.]*\s*=(?!=)/;

/** An element of a JSON document, as it stands in the file. */
export interface Element extends Line {
  /** The kind of an element of `includes`: a user, or a tweet that another one refers to. */
  readonly included?: 'users' | 'tweets';
}

/**
 * Streams the elements of a JSON document of any size, each as the exact text in the file: of an array, of the lists in an answer of
 * Twitter's APIs (`{"data": […], "includes": …}`, `{"statuses": […]}`), of an archive (`window.YTD.tweets.part0 = […]`), or the
 * objects that stand one after another.
 *
 * If strings and brackets do not match, the broken element comes with a `problem`, and reading goes on after the next
 * comma that is followed by the opening of the elements before (`{"created_at"`, say) or, if that does not return, by that of
 * the longest object. So a damaged element costs only itself, and in an array of answers no more than its answer. A list of an answer that is not known is a problem, too, because its
 * name may be damaged.
 */
export async function* readJsonElements(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly Element[]> {
  const reader = new ElementReader();
  for await (const chunk of withoutByteOrderMark(chunks)) {
    const elements = reader.push(chunk);
    if (elements.length > 0) yield elements;
  }
  yield reader.end();
}

/** The elements of a document that is at hand. If `isWhole` is false, what is missing at its end is no problem. */
export function elementsIn(bytes: Buffer, isWhole = true): Element[] {
  const reader = new ElementReader();
  const elements = reader.push(bytes);
  return isWhole ? [...elements, ...reader.end()] : elements;
}

/** Whether a text begins with what archives have before their array, or other scripts before a value. */
export function isAssignment(text: string): boolean {
  const start = text.replace(/^[ \t\r\n]+/, '');
  const [assigned] = assignment.exec(start) ?? [];
  return assigned !== undefined && /^[ \t\r\n]*[[{]/.test(start.slice(assigned.length));
}

/** The part of an archive that a file is, `tweets` for `window.YTD.tweets.part0 = [`; undefined if it is none. */
export function archivePart(head: string): string | undefined {
  return /^\s*window\.YTD\.(\w+)\.part\d+\s*=/.exec(head)?.[1];
}

/** A container in which a reader is: an array of elements, an answer, or a list of an answer that is skipped. */
interface Container {
  readonly kind: 'array' | 'answer';
  readonly name: string;
}

class ElementReader {
  private state: 'between' | 'member' | 'inside' | 'skipping' | 'lost' = 'between';
  private readonly containers: Container[] = [];
  /** Bytes that were read but not yet returned; inside an element they begin with that element. */
  private bytes: Buffer = Buffer.alloc(0);
  private at = 0;
  /** The number of the line in which `bytes` begins. */
  private line = 1;
  private isAfterReturn = false;
  private structure = new JsonStructure();
  /** The beginning of the last whole element; undefined if there is none. */
  private opening: string | undefined;
  /** How long the last whole element was. */
  private lastLength = 0;
  private elements: Element[] = [];
  private hasBegun = false;
  private isEnded = false;

  push(chunk: Buffer): Element[] {
    this.bytes = this.bytes.length === 0 ? chunk : Buffer.concat([this.bytes, chunk]);
    do for (let isGoing = true; isGoing && this.at < this.bytes.length;) isGoing = this.step();
    while (this.opensLongAnswer());
    if (this.state === 'inside') {
      if (this.bytes.length > MAX_ELEMENT_BYTES)
        this.breakOff(this.bytes.length, `an element of more than ${MAX_ELEMENT_BYTES} bytes`, 0);
    } else if (this.state !== 'lost') {
      this.drop(this.at);
    }
    return this.elements.splice(0);
  }

  end(): Element[] {
    this.isEnded = true;
    const last: Element[] = this.push(Buffer.alloc(0));
    while (this.state === 'inside') {
      this.breakOff(this.bytes.length, 'the file ends inside an element', 0);
      for (const element of this.push(Buffer.alloc(0))) last.push(element);
    }
    const open = this.containers.at(-1);
    if (open !== undefined && this.state !== 'lost')
      this.report(`the file ends before the ${open.kind === 'array' ? 'array' : 'object'} does`, '');
    return [...last, ...this.elements];
  }

  /** Reads on; false if more bytes are needed for that. */
  private step(): boolean {
    switch (this.state) {
      case 'inside':
        return this.inside();
      case 'skipping':
        return this.skip();
      case 'lost':
        return this.found();
      case 'member':
        return this.member();
      case 'between':
        return this.between();
    }
  }

  /** Reads at the top of the document, or between the elements of an array. */
  private between(): boolean {
    const byte = this.bytes[this.at] ?? 0;
    const isTop = this.containers.length === 0;
    if (isSpace(byte) || byte === comma || (isTop && byte === semicolon)) {
      this.at += 1;
    } else if (!isTop && byte === closeArray) {
      this.at += 1;
      this.leave();
    } else if (isTop && byte === openArray) {
      this.at += 1;
      this.hasBegun = true;
      this.containers.push({ kind: 'array', name: '' });
    } else if (isTop && byte === openObject) {
      return this.openObject();
    } else if (isTop) {
      return this.assignment();
    } else {
      this.beginElement(this.at);
    }
    return true;
  }

  /** An object at the top is an answer or an element, which its first name tells. */
  private openObject(): boolean {
    const text = this.ahead();
    if (text === undefined) return false;
    this.hasBegun = true;
    if (isAnswer(text)) this.openAnswer();
    else this.beginElement(this.at);
    return true;
  }

  private openAnswer(): void {
    this.at += 1;
    this.containers.push({ kind: 'answer', name: '' });
    this.state = 'member';
  }

  /** Reads an element of the outermost array piece by piece if it turns out to be an answer that is too long for an element. */
  private opensLongAnswer(): boolean {
    const [outermost, ...others] = this.containers;
    if (this.state !== 'inside' || this.bytes.length <= MAX_ELEMENT_BYTES) return false;
    if (outermost?.kind !== 'array' || others.length > 0) return false;
    if (!isAnswer(this.bytes.toString('latin1', 0, MAX_OPENING_BYTES))) return false;
    this.at = 0;
    this.openAnswer();
    return true;
  }

  /** Skips what archives have before their array, `window.YTD.tweets.part0 =`. Anything else is no JSON. */
  private assignment(): boolean {
    const rest = this.ahead();
    if (rest === undefined) return false;
    const match = assignment.exec(rest);
    if (match === null) {
      this.giveUp(this.hasBegun ? 'text after the end of the JSON' : 'no JSON', rest);
    } else {
      this.at += match[0].length;
    }
    return true;
  }

  /** The next bytes, as Latin-1: as many as any opening has, or all that are left; undefined if more must be read for that. */
  private ahead(): string | undefined {
    const rest = this.bytes.subarray(this.at, this.at + MAX_OPENING_BYTES);
    return rest.length < MAX_OPENING_BYTES && !this.isEnded ? undefined : rest.toString('latin1');
  }

  /** Before a member of an answer. */
  private member(): boolean {
    const byte = this.bytes[this.at] ?? 0;
    if (isSpace(byte) || byte === comma) {
      this.at += 1;
    } else if (byte === closeObject) {
      this.at += 1;
      this.leave();
    } else {
      return this.value();
    }
    return true;
  }

  private value(): boolean {
    const rest = this.ahead();
    if (rest === undefined) return false;
    const match = /^"([^"\\]*)"\s*:\s*(?=\S)/.exec(rest);
    if (match === null) {
      this.giveUp('no name and value', rest);
      return true;
    }
    const [{ length }, name = ''] = match;
    this.at += length;
    const byte = this.bytes[this.at];
    const isIncluded = this.containers.at(-1)?.name === 'includes';
    const hasElements = (isIncluded ? includedLists : elementLists).has(name);
    if (byte === openArray && hasElements) {
      this.at += 1;
      this.containers.push({ kind: 'array', name });
      this.state = 'between';
    } else if (byte === openObject && name === 'includes' && !isIncluded) {
      this.at += 1;
      this.containers.push({ kind: 'answer', name });
    } else if (byte === openObject && name === 'data') {
      this.beginElement(this.at);
    } else if (hasElements || name === 'includes') {
      if (/^null\b/.test(rest.slice(length))) this.at += 'null'.length;
      else this.giveUp(`the value of "${name}" is no ${name === 'includes' ? 'object' : 'array'}`, rest);
    } else if (byte === openArray && !(isIncluded ? otherIncludes : answerMembers).has(name)) {
      // A damaged name must not hide the elements of its list.
      this.giveUp(`an unknown list "${name}"`, rest);
    } else {
      this.beginElement(this.at);
      this.state = 'skipping';
    }
    return true;
  }

  private leave(): void {
    this.containers.pop();
    this.state = this.containers.at(-1)?.kind === 'answer' ? 'member' : 'between';
  }

  private beginElement(at: number): void {
    this.drop(at);
    this.structure = new JsonStructure();
    this.state = 'inside';
  }

  private inside(): boolean {
    const end = this.structure.read(this.bytes, this.at);
    if (end === null) {
      this.at = this.bytes.length;
    } else if (this.structure.problem !== null) {
      this.breakOff(end, this.structure.problem);
    } else {
      const element = this.bytes.subarray(0, end);
      this.elements.push({ ...decodeText(element, this.line), ...this.included() });
      this.opening = openingOf(element) ?? this.opening;
      this.lastLength = element.length;
      this.drop(end);
      this.state = this.containers.at(-1)?.kind === 'answer' ? 'member' : 'between';
    }
    return true;
  }

  /** Leaves out the value of a member that has no elements, however long it is. */
  private skip(): boolean {
    const end = this.structure.read(this.bytes, this.at);
    if (end !== null && this.structure.problem !== null) {
      this.giveUp(this.structure.problem, '');
    } else {
      this.drop(end ?? this.bytes.length);
      if (end !== null) this.state = 'member';
    }
    return true;
  }

  private included(): { included?: 'users' | 'tweets' } {
    const [list, answer] = [this.containers.at(-1)?.name, this.containers.at(-2)?.name];
    if (answer !== 'includes') return {};
    return { included: list === 'users' ? 'users' : 'tweets' };
  }

  /**
   * Reports the bytes before `end` as broken and looks for the next element: from `from`, else from the last comma
   * before `end`. Callers that never found the end of the element pass 0, because it may have swallowed whole elements.
   */
  private breakOff(end: number, problem: string, from?: number): void {
    const broken = this.bytes.subarray(0, end);
    this.report(problem, describeBytes(this.bytes.subarray(0, end + 1)));
    this.state = 'lost';
    this.drop(from ?? Math.max(0, broken.lastIndexOf(comma)));
  }

  /** Reports text between elements that is not understood, and looks for the next element. */
  private giveUp(problem: string, text: string): void {
    this.drop(this.at);
    this.report(problem, text);
    this.state = 'lost';
  }

  /** Goes to where the next element opens; false if that is not among the bytes read so far. */
  private found(): boolean {
    let match = this.nextOpening();
    if (match === null && this.hasBegun) {
      if (!this.isEnded && this.bytes.length < SEARCHED_BYTES) return false;
      this.opening = this.openingOfLongest();
      match = this.nextOpening();
    }
    if (match === null) this.drop(Math.max(0, this.bytes.length - OVERLAP_BYTES));
    else this.beginElement(match.index + match[0].length);
    return match !== null;
  }

  private nextOpening(): RegExpExecArray | null {
    if (this.opening === undefined) return null;
    const pattern = new RegExp(`,[ \\t\\r\\n]*(?=${escapePattern(this.opening)})`);
    return pattern.exec(this.bytes.toString('latin1'));
  }

  /**
   * The opening of the longest object after a comma, for where that of the element before is not known or does not return, because it is
   * broken, too. The objects within elements are shorter than these. Undefined if no whole object is among the bytes read so far.
   */
  private openingOfLongest(): string | undefined {
    const commas = this.bytes.toString('latin1').matchAll(/,[ \t\r\n]*(?=\{)/g);
    let candidates = 0;
    // After the last element there are only objects within it.
    let longest = this.lastLength / 2;
    let opening: string | undefined;
    for (const { index, 0: separator } of commas) {
      candidates += 1;
      if (candidates > MAX_CANDIDATES) break;
      const at = index + separator.length;
      const structure = new JsonStructure();
      const end = structure.read(this.bytes, at);
      if (end === null || structure.problem !== null || end - at <= longest) continue;
      longest = end - at;
      opening = openingOf(this.bytes.subarray(at)) ?? undefined;
    }
    return opening;
  }

  private report(problem: string, text: string): void {
    this.elements.push({ line: this.line, text, problem });
  }

  /** Forgets the first `count` bytes. */
  private drop(count: number): void {
    const gone = this.bytes.subarray(0, count);
    this.line += lineEndsIn(gone, this.isAfterReturn);
    if (gone.length > 0) this.isAfterReturn = gone.at(-1) === carriageReturn;
    this.bytes = this.bytes.subarray(count);
    this.at = 0;
  }
}

/** How many lines end in `bytes`. The LF of a CR LF ends no second line, also if the CR came before `bytes`. */
function lineEndsIn(bytes: Buffer, isAfterReturn: boolean): number {
  let ends = 0;
  for (let at = bytes.indexOf(lineFeed); at !== -1; at = bytes.indexOf(lineFeed, at + 1))
    if (!(at === 0 ? isAfterReturn : bytes[at - 1] === carriageReturn)) ends += 1;
  for (let at = bytes.indexOf(carriageReturn); at !== -1; at = bytes.indexOf(carriageReturn, at + 1))
    ends += 1;
  return ends;
}

/** The beginning of an object, up to the closing quote of its first name; null if it has none. */
function openingOf(element: Buffer): string | null {
  return /^\{[ \t\r\n]*"[^"\\]{0,64}"/.exec(element.toString('latin1', 0, 200))?.[0] ?? null;
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
