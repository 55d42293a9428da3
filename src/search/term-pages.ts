import { compareIds } from '../kit/base/ids';
import type { Load } from '../kit/data/load';
import type { Slice } from '../kit/relay/list';
import { SAMPLE_ROWS, type PlacedTerm } from './rarity';
import type { TermIndex, TermRow } from './term.table';

/** Reads a slice of a term's rows in a bucket, in order, merged from all partitions of the bucket. */
export async function newestOf(
  load: Load,
  table: TermIndex['newest'],
  { term, places, first }: PlacedTerm,
  bucket: number,
  { after, reversed, limit }: Slice,
): Promise<readonly TermRow[]> {
  const isFirst = after === undefined && !reversed && bucket === places.buckets[0];
  if (isFirst && first && (limit <= SAMPLE_ROWS || first.length < SAMPLE_ROWS)) return first.slice(0, limit);
  const partitions = places.partitionsOf(bucket);
  if (partitions.length === 1) return load(table.page, { bucket, term, after, reversed, limit });
  // The rows of most pages are spread evenly, so twice an even part of each partition is enough.
  const size = Math.ceil((2 * limit) / partitions.length) + 8;
  const compare = (a: string, b: string) => compareIds(a, b) * (reversed ? 1 : -1);
  const found = new Map<string, TermRow>();
  let open: readonly Open[] = partitions.map((partition) => ({ partition, after: after?.map(String) }));
  for (;;) {
    const pages = await Promise.all(
      open.map(({ partition, after }) =>
        load(table.page, { bucket: partition, term, after, reversed, limit: size }),
      ),
    );
    for (const row of pages.flat()) found.set(row.tweetId, row);
    open = open.flatMap(({ partition }, index) => {
      const last = pages[index]?.length === size ? pages[index].at(-1)?.tweetId : undefined;
      return last === undefined ? [] : { partition, after: [last] };
    });
    // All partitions are read up to here. After it, rows may be missing.
    const [end] = open.flatMap(({ after }) => after ?? []).sort(compare);
    const complete = [...found.values()].filter(
      ({ tweetId }) => end === undefined || compare(tweetId, end) <= 0,
    );
    if (complete.length >= limit || open.length === 0)
      return complete.sort((a, b) => compare(a.tweetId, b.tweetId)).slice(0, limit);
  }
}

/** A partition that may have more rows to read. */
interface Open {
  readonly partition: number;
  readonly after: readonly string[] | undefined;
}
