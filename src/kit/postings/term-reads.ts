import { FREE, type Cost } from '../cost/cost';
import { visibilityReads } from '../lists/page-bounds';
import { together, upTo, type CostArguments, type Sized, type TableBound } from '../cost/reads';
import { MAX_POSTINGS, MAX_READS_OF_OVERLAP, MAX_TESTED_OF_PAGE } from './find';
import { postings, segmentEntries, segments } from './postings.table';

/** How many chunks of segments are read at most, besides those of entries that are tested. */
const MAX_CHUNKS_READ = 400;

/** How much a page of the entries with some terms reads of the index at most. */
export function termsCost(terms: number): Cost {
  const reads = 1 + MAX_READS_OF_OVERLAP * terms + MAX_CHUNKS_READ + countTests(terms);
  return { reads, rows: reads + 2 * MAX_POSTINGS };
}

/** How many times the postings of a term are read, and how many chunks, of most pages. */
const BASE_READS_PER_TERM = 4;
const BASE_CHUNKS_READ = 24;

/** The same without reserving more: what most pages read. */
export function termsBase(terms: number): Cost {
  const reads = 1 + BASE_READS_PER_TERM * terms + BASE_CHUNKS_READ + countTests(terms);
  return { reads, rows: 4 * reads };
}

/** How many entries are tested at most: see `Tester`. */
function countTests(terms: number): number {
  return terms > 1 ? MAX_TESTED_OF_PAGE : 0;
}

/**
 * The bounds of finding a page of entries with some terms: the reads of the index, and of the table that says what entries stand for.
 * `termsIn` gives the number of terms; 0 reads nothing. `ofIndex` gives the reads of the index for a number of terms.
 */
export function indexReads(
  table: Sized,
  termsIn: (args: CostArguments['args']) => number,
  ofIndex: (terms: number) => Cost = termsCost,
): TableBound[] {
  const costOf = (cost: (terms: number) => Cost): TableBound['cost'] => {
    return ({ args }) => {
      const terms = termsIn(args);
      return terms === 0 ? FREE : cost(terms);
    };
  };
  return [
    together(upTo(postings, costOf(ofIndex)), segments, segmentEntries),
    upTo(
      table,
      costOf((terms) => ({ reads: countTests(terms), rows: countTests(terms) })),
    ),
  ];
}

/**
 * The bounds of a page of `connectTerms`; `table` has what entries stand for.
 *
 * @example
 * ```ts
 * const bounds = termReads(rooms, ({ words }) => String(words).split(' ').length);
 * ```
 */
export function termReads(table: Sized, termsIn: (args: CostArguments['args']) => number): TableBound[] {
  return [...indexReads(table, termsIn), visibilityReads(table)];
}
