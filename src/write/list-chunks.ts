import type { Chunk } from '../kit/work/handler';

/**
 * A position in a list that is ordered downwards, as text: its times in milliseconds and its ids, with spaces between. Empty
 * means the end of the list.
 */
export type Boundary = string;

/** A position as a boundary of chunks. */
export function encodeBoundary(...position: readonly (Date | string)[]): Boundary {
  return position.map((part) => (part instanceof Date ? String(part.getTime()) : part)).join(' ');
}

/** The checkpoint of a task that has come to a boundary. */
export function checkpointAt(boundary: Boundary): string {
  return JSON.stringify(boundary);
}

/** The boundary in such a checkpoint; empty if there is none. */
export function decodeBoundary(checkpoint: string | null): Boundary {
  return checkpoint === null ? '' : (JSON.parse(checkpoint) as Boundary);
}

/** Whether a boundary comes after another one in a list. */
function isAfter(boundary: Boundary, end: Boundary): boolean {
  const ends = end.split(' ');
  for (const [index, part] of boundary.split(' ').entries()) {
    const difference = BigInt(part) - BigInt(ends[index] ?? part);
    if (difference !== 0n) return difference < 0n;
  }
  return false;
}

/** The way in which a list is cut into chunks. */
interface Cut<R> {
  /** The kind of the chunks' tasks. Their payload has the boundaries `from` and `to` besides `payload`. */
  readonly kind: string;
  readonly payload: Readonly<Record<string, string>>;
  readonly boundary: (row: R) => Boundary;
  /** How many rows a chunk has. The last one has as many as there are, and those that come to the end of the list later. */
  readonly size: number;
}

/** Cuts the rows after a boundary into chunks. `pages` are those rows. */
export async function* cutIntoChunks<R>(
  pages: AsyncIterable<readonly R[]>,
  from: Boundary,
  { kind, payload, boundary, size }: Cut<R>,
): AsyncIterable<Chunk> {
  let start = from;
  let count = 0;
  for await (const page of pages) {
    for (const row of page) {
      if (++count < size) continue;
      const to = boundary(row);
      yield { kind, payload: { ...payload, from: start, to }, end: to };
      start = to;
      count = 0;
    }
  }
  yield { kind, payload: { ...payload, from: start, to: '' }, end: null };
}

/** The rows of pages that do not come after a boundary. */
export async function* pagesUpTo<R>(
  pages: AsyncIterable<readonly R[]>,
  to: Boundary,
  boundary: (row: R) => Boundary,
): AsyncIterable<readonly R[]> {
  for await (const page of pages) {
    const inside = to === '' ? page : page.filter((row) => !isAfter(boundary(row), to));
    if (inside.length > 0) yield inside;
    const last = inside.at(-1);
    if (inside.length < page.length || (last !== undefined && boundary(last) === to)) return;
  }
}
