import { archiveParts, isArchivePart } from './archive';
import { isObject, objectAt, parseObject, type JsonObject } from './json';
import { archivePart, elementsIn, isAssignment, readJsonElements, type Element } from './json-elements';
import { isSpace } from './json-structure';
import { linesIn, readLines, withoutByteOrderMark, type Line } from './lines';
import { FileError } from './record';
import { failureIn, isAnswer } from './twitter-answers';
import { excerpt } from './row';
import { isV2Tweet, isV2User } from './v2-object';

const [openArray, openObject] = [0x5b, 0x7b];
/** How much of a file shows whether its objects have lines of their own. */
const HEAD_BYTES = 64 * 1024;

/** Whether a file that begins with `head` is JSON, also behind the assignment that archives have. */
export function looksLikeJson(head: Buffer): boolean {
  const first = head.find((byte) => !isSpace(byte));
  return first === openArray || first === openObject || isAssignment(head.toString());
}

/**
 * Streams the records of a JSON file. If each has a line of its own, a damaged line costs only itself; otherwise the file is read as one
 * document. `check` is given the beginning of the file before any of it is read, and may throw.
 */
export async function* readJson(
  bytes: AsyncIterable<Buffer>,
  check: (head: Buffer) => void = () => undefined,
): AsyncGenerator<readonly Element[]> {
  const { head, all } = await peek(withoutByteOrderMark(bytes));
  check(head);
  yield* hasLines(head) ? readLines(all) : readJsonElements(all);
}

/** The records that a file begins with, as far as they are whole. */
function recordsAtHead(head: Buffer): JsonObject[] {
  return elementsAtHead(head)
    .flatMap((element) => (isAnswer(element.text) ? elementsIn(Buffer.from(element.text)) : element))
    .map(({ text }) => parseObject(text))
    .filter((object) => object !== null);
}

/**
 * Returns the kind of the first record in a file that can be imported: `geo` is a tweet whose author has a name and no id. `empty` is a
 * file that may have such records, and has none; null is any other file.
 */
export function kindOfRecords(head: Buffer): 'geo' | 'twitter' | 'empty' | null {
  if (foreignPartIn(head) !== undefined) return null;
  for (const object of recordsAtHead(head)) {
    const kind = findKind(object);
    if (kind !== null) return kind;
  }
  const text = head.toString();
  const isCut = head.length >= HEAD_BYTES && /"(id_str|full_text|author_id)"\s*:/.test(text);
  if (isCut) return 'twitter';
  const isEmpty =
    archivePart(text) !== undefined ||
    /^\s*\[\s*\]\s*$/.test(text) ||
    (isAnswer(text) && failureAtHead(head) === undefined);
  return isEmpty ? 'empty' : null;
}

/** Why the first answer of a file has no records, if it says so. */
function failureAtHead(head: Buffer): string | undefined {
  const text = head.toString();
  const answer = parseObject(text) ?? parseObject(text.trimStart().split(/[\r\n]/, 1)[0] ?? '');
  return answer === null ? undefined : failureIn(answer);
}

function findKind(object: JsonObject): 'geo' | 'twitter' | null {
  const user = objectAt(object, 'user');
  if (user !== undefined) return 'id' in user || 'id_str' in user ? 'twitter' : 'geo';
  const [only = '', ...others] = Object.keys(object);
  const isWrapped = others.length === 0 && archiveParts.includes(only) && isObject(object[only]);
  return isWrapped || isV2Tweet(object) || isV2User(object) ? 'twitter' : null;
}

function elementsAtHead(head: Buffer): readonly Line[] {
  if (hasLines(head)) return linesIn(head);
  const whole = elementsIn(head, head.length < HEAD_BYTES);
  if (whole.length > 0) return whole;
  // An array may begin with an answer that is longer than the head.
  const first = head.subarray(Math.max(0, head.indexOf(openObject)));
  return isAnswer(first.toString()) ? elementsIn(first, false) : [];
}

/** Throws a `FileError` if a file is a part of an archive that is not imported, such as that of deleted tweets. */
export function refuseForeignPart(head: Buffer): void {
  const foreign = foreignPartIn(head);
  if (foreign !== undefined) throw new FileError(foreign);
}

/** Why a file is not imported that is another part of an archive; undefined if it is none. */
function foreignPartIn(head: Buffer): string | undefined {
  const part = archivePart(head.toString());
  if (part === undefined || isArchivePart(part)) return undefined;
  return `it is the part ${part} of an archive, of which only ${archiveParts.join(', ')} are imported`;
}

/** Describes, for a message, a JSON file that no format reads. */
export function describeJson(head: Buffer): string {
  const foreign = foreignPartIn(head);
  if (foreign !== undefined) return foreign;
  const failure = failureAtHead(head);
  if (failure !== undefined) return failure;
  const [object] = recordsAtHead(head);
  if (object === undefined) return 'it has no object within 64 KiB';
  return `a tweet must have an id, a text, and user or author_id, but the first object has: ${excerpt(Object.keys(object).join(', '))}`;
}

/** Whether the objects of a file that begins with `head` have a line each. */
function hasLines(head: Buffer): boolean {
  const begin = head.find((byte) => !isSpace(byte));
  if (begin !== openObject) return begin !== openArray && !isAssignment(head.toString());
  const lines = linesIn(head);
  const first = lines.find(({ text }) => text.trim() !== '');
  if (first === undefined || parseObject(first.text) !== null) return true;
  const isWhole = first.end !== undefined || head.length < HEAD_BYTES;
  // An answer in one long line is read as a document, piece by piece. A printed object goes on in the next line.
  return isWhole ? !/[{[,:]\s*$/.test(first.text) : !isAnswer(first.text);
}

/** Reads ahead; `all` still has every chunk. */
async function peek(chunks: AsyncGenerator<Buffer>): Promise<{ head: Buffer; all: AsyncIterable<Buffer> }> {
  const seen: Buffer[] = [];
  for (let size = 0; size < HEAD_BYTES;) {
    const next = await chunks.next();
    if (next.done === true) break;
    seen.push(next.value);
    size += next.value.length;
  }
  const head = Buffer.concat(seen).subarray(0, HEAD_BYTES);
  async function* all(): AsyncGenerator<Buffer> {
    yield* seen.splice(0);
    yield* chunks;
  }
  return { head, all: all() };
}
