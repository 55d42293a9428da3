import { readJsonArray } from '../records/json-array';
import { isSpace } from '../records/json-structure';
import { readLines, withoutByteOrderMark } from '../records/lines';
import type { Format } from '../records/record';
import { readTweetObjects } from '../records/twitter-rows';
import { firstUser } from './tweets-geo';

const openArray = 0x5b;

/** Tweet objects of Twitter's API v1.1, one on each line or all in one JSON array. */
export const twitter: Format = {
  name: 'twitter',
  summary: "Twitter's API v1.1 tweet objects: lines of JSON, or one JSON array",
  detect(head) {
    if (/^\s*\[\s*\]/.test(head)) return true;
    if (/^\s*\[\s*\{/.test(head)) return /"id(_str)?"\s*:/.test(head) && /"(full_)?text"\s*:/.test(head);
    const user = firstUser(head);
    return user !== undefined && ('id' in user || 'id_str' in user);
  },
  async *read(chunks) {
    const { first, all } = await peek(withoutByteOrderMark(chunks));
    yield* readTweetObjects(first === openArray ? readJsonArray(all) : readLines(all));
  },
};

/** Reads ahead to the first byte that is not white space; `all` still has every chunk. */
async function peek(
  chunks: AsyncGenerator<Buffer>,
): Promise<{ first: number | undefined; all: AsyncIterable<Buffer> }> {
  const seen: Buffer[] = [];
  let first: number | undefined;
  for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) {
    seen.push(next.value);
    first = next.value.find((byte) => !isSpace(byte));
    if (first !== undefined) break;
  }
  async function* all(): AsyncGenerator<Buffer> {
    yield* seen;
    yield* chunks;
  }
  return { first, all: all() };
}
