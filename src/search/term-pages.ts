import type { Load } from '../kit/data/load';
import { sourceOf, type Slice } from '../kit/relay/list';
import { mergeSources } from '../kit/relay/merge';
import { SAMPLE_ROWS, type IndexedTerm } from './rarity';
import type { TermIndex, TermRow } from './term.table';

/** Reads a slice of a term's rows in a bucket, in order, merged from all partitions of the bucket. */
export async function newestOf(
  load: Load,
  table: TermIndex['newest'],
  { term, partitions, first }: IndexedTerm,
  bucket: number,
  slice: Slice,
): Promise<readonly TermRow[]> {
  const { after, reversed, limit } = slice;
  const isFirst = after === undefined && !reversed && bucket === partitions.buckets[0];
  if (isFirst && first && (limit <= SAMPLE_ROWS || first.length < SAMPLE_ROWS)) return first.slice(0, limit);
  const shards = partitions.partitionsOf(bucket);
  const sources = shards.map((shard) =>
    sourceOf((shardSlice) => load(table.page, { bucket: shard, term, ...shardSlice }), positionOf),
  );
  // The rows of most pages are spread evenly, so twice an even part of each shard is enough.
  const firstRows = shards.length === 1 ? limit : Math.ceil((2 * limit) / shards.length) + 8;
  const { rows } = await mergeSources(
    { position: positionOf },
    sources,
    slice,
    { continuations: Infinity },
    firstRows,
  );
  return rows;
}

/** The position of a row in the lists of a term. */
export function positionOf({ tweetId }: TermRow): string[] {
  return [tweetId];
}
