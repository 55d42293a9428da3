import { compareIds } from '../kit/base/ids';
import type { Load } from '../kit/data/load';
import type { Slice } from '../kit/relay/list';
import { SAMPLE_ROWS, type PlacedTerm } from './rarity';
import type { TermIndex, TermRow } from './term.table';

/** Reads the rows of a term in a bucket, in order, from all partitions that hold it. */
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
  // Most pages are spread evenly: twice an even share of each is enough.
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
    open = open.flatMap(({ partition }, place) => {
      const last = pages[place]?.length === size ? pages[place].at(-1)?.tweetId : undefined;
      return last === undefined ? [] : { partition, after: [last] };
    });
    // Behind the place that the slowest partition was read to, rows of it may be missing.
    const [slowest] = open.flatMap(({ after }) => after ?? []).sort(compare);
    const sure = [...found.values()].filter(
      ({ tweetId }) => slowest === undefined || compare(tweetId, slowest) <= 0,
    );
    if (sure.length >= limit || open.length === 0)
      return sure.sort((a, b) => compare(a.tweetId, b.tweetId)).slice(0, limit);
  }
}

/** A partition of which there may be more to read. */
interface Open {
  readonly partition: number;
  readonly after: readonly string[] | undefined;
}
