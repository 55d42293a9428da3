import { badInput, tooLarge } from '../base/errors';
import { BEFORE_ALL_IDS, isId } from '../base/ids';
import { unitNames, type Cost } from '../cost/cost';
import { limitLoad, type Growth } from '../cost/limit-load';
import type { Load } from '../reads/load';
import type { TermsOf } from './build-segments';
import { keyOfPlace, type Place } from './entry';
import { MAX_TESTED_OF_PAGE, type Tester } from './find';
import type { InvertedIndex } from './inverted-index';
import { connect } from '../lists/connection';
import type { PositionValue } from '../lists/cursor';
import { DEFAULT_BOUNDS, type List, type Source } from '../lists/list-parts';
import { pageOf } from '../lists/page';
import { type ConnectionArguments } from '../input/page-args';
import { termsCost } from './term-reads';

/** The index and the terms of a search. */
interface Searched<R> {
  /** Tells the list from others in cursors. */
  readonly name: string;
  /** The terms, of which an entry must have all: at least one, each once. */
  readonly terms: readonly string[];
  readonly tester: Tester;
  /** The row of the list that stands for an entry, and the place of the entry that a row stands for. */
  readonly rowOf: (place: Place) => R;
  readonly placeOf: (row: R) => Place;
}

/** The list of the entries that have all of the given terms. A page that would read more than `termsCost` is `QUERY_TOO_LARGE`. `growth` says how its bound grows up to that. */
export function termList<R>(
  given: Load,
  index: InvertedIndex,
  { name, terms, tester, rowOf, placeOf }: Searched<R>,
  growth?: Growth,
): List<R> {
  const refuse = (max: Cost, unit: keyof Cost) =>
    tooLarge(
      `A page for ${terms.length} terms may read ${max[unit]} ${unitNames[unit]}, but this one would read more: search for fewer.`,
    );
  const load = limitLoad(given, termsCost(terms.length), refuse, growth);
  const source: Source<R> = {
    async read({ after, reversed, limit }) {
      const slice = { after: placeIn(after), reversed, limit };
      const { rows, end, isCut } = await index.find(load, terms, slice, tester);
      return { rows: rows.map(rowOf), end: end && placeKey(end), ...(isCut && { isCut }) };
    },
  };
  return {
    name,
    bounds: { ...DEFAULT_BOUNDS, continuations: 8 },
    position: (row) => placeKey(placeOf(row)),
    parts: ({ from }) => Promise.resolve([{ start: from ?? { bucket: 0, key: [] }, sources: [source] }]),
  };
}

/** The place of an entry in a cursor. Most lists have no ranks, and shorter cursors. */
function placeKey({ rank, id }: Place): readonly string[] {
  return rank === 0 ? [id] : [String(rank), id];
}

function placeIn(key: readonly PositionValue[] | undefined): Place | undefined {
  if (key === undefined) return undefined;
  const [id, rank = '0', ...others] = [...key].reverse();
  if (
    typeof id !== 'string' ||
    !(isId(id) || id === BEFORE_ALL_IDS) ||
    !/^\d{1,3}$/.test(String(rank)) ||
    others.length > 0
  )
    throw badInput('A cursor must be one that this list returned.');
  return { rank: Number(rank), id };
}

/** Looks for terms in what entries stand for, whose terms `termsOf` finds. */
export function testerOf(terms: readonly string[], termsOf: TermsOf): Tester {
  return {
    left: MAX_TESTED_OF_PAGE,
    async test(places) {
      const found = await termsOf(places);
      return found.map((ofPlace) => {
        const has = new Set(ofPlace);
        return terms.every((term) => has.has(term));
      });
    },
  };
}

/**
 * Reads a page of the objects of the entries with all of the given terms, in the order of the index's list. `read` reads such an object;
 * null leaves it out, because it is gone or has another place now. `termReads` declares the reads of the page.
 */
export function connectTerms<N>(
  load: Load,
  index: InvertedIndex,
  {
    name,
    terms,
    read,
  }: Pick<Searched<N>, 'name' | 'terms'> & { read(this: void, place: Place): Promise<N | null> },
  args: ConnectionArguments,
) {
  const found = new Map<string, N | null>();
  const nodeOf = (place: Place) => found.get(keyOfPlace(place)) ?? null;
  const same = (place: Place) => place;
  const tester = testerOf(terms, (places) => index.termsOf(load, places));
  const list: List<Place> = {
    ...termList(load, index, { name, terms, tester, rowOf: same, placeOf: same }),
    async shown(place) {
      const node = await read(place);
      found.set(keyOfPlace(place), node);
      return node !== null;
    },
  };
  return connect(list, pageOf(name, args), (place, cursor) => ({ cursor, node: nodeOf(place) }), nodeOf);
}
