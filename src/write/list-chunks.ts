import type { Chunk } from '../kit/work/handler';

/**
 * A position in a list that is ordered downwards, as text: its times in milliseconds and its ids, with spaces between. Empty
 * means the end of the list.
 */
export type Mark = string;

/** The mark of a position. */
export function markOf(...position: readonly (Date | string)[]): Mark {
  return position.map((part) => (part instanceof Date ? String(part.getTime()) : part)).join(' ');
}

/** Whether a mark is behind another one in a list. */
function isBehind(mark: Mark, end: Mark): boolean {
  const ends = end.split(' ');
  for (const [index, part] of mark.split(' ').entries()) {
    const difference = BigInt(part) - BigInt(ends[index] ?? part);
    if (difference !== 0n) return difference < 0n;
  }
  return false;
}

/** How a list is cut into chunks. */
interface Cut<R> {
  /** The kind of the chunks' tasks. Their payload has the marks `from` and `to` besides `payload`. */
  readonly kind: string;
  readonly payload: Readonly<Record<string, string>>;
  readonly mark: (row: R) => Mark;
  /** How many rows a chunk has. The last one has as many as there are, and those that come to the end of the list later. */
  readonly size: number;
}

/** Cuts the rows behind a mark into chunks. `pages` are those rows. */
export async function* chunksOf<R>(
  pages: AsyncIterable<readonly R[]>,
  from: Mark,
  { kind, payload, mark, size }: Cut<R>,
): AsyncIterable<Chunk> {
  let start = from;
  let count = 0;
  for await (const page of pages) {
    for (const row of page) {
      if (++count < size) continue;
      const to = mark(row);
      yield { kind, payload: { ...payload, from: start, to }, end: to };
      start = to;
      count = 0;
    }
  }
  yield { kind, payload: { ...payload, from: start, to: '' }, end: null };
}

/** The rows of pages that are not behind a mark. */
export async function* upTo<R>(
  pages: AsyncIterable<readonly R[]>,
  to: Mark,
  mark: (row: R) => Mark,
): AsyncIterable<readonly R[]> {
  for await (const page of pages) {
    const inside = to === '' ? page : page.filter((row) => !isBehind(mark(row), to));
    if (inside.length > 0) yield inside;
    const last = inside.at(-1);
    if (inside.length < page.length || (last !== undefined && mark(last) === to)) return;
  }
}
