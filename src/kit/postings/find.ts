import { tooLarge } from '../base/errors';
import type { Load } from '../reads/load';
import { comparePlaces, keyOfPlace, type Place } from './entry';
import type { KnownPostings, PostingsOfTerm } from './known-postings';
import { openSegment, type SegmentReader } from './opened';
import type { Segment } from './segment';
import { SegmentsAhead } from './segment-list';
import type { PlaceSlice } from './tail';
import type { View } from './view';

/** How many postings of a term are read at first, and how many times as many each time after that. */
export const FIRST_POSTINGS = 4;
const GROWTH = 4;
/**
 * How many postings a page looks at, of all terms together. Then it ends, and its cursor goes on. A segment without a term is not counted.
 */
export const MAX_POSTINGS = 256;
/**
 * If the rarest term has at most so many entries in the next segments, these entries are tested for the other terms. For more entries that
 * would take longer than to read the postings of the other terms, which are then also kept.
 */
const MAX_TESTED = 10;
/** The most entries that are taken of a segment at a time. */
const MAX_BATCH = 1000;
/** How many entries a page tests in all. */
export const MAX_TESTED_OF_PAGE = 40;
/** A page whose cursor lies in many segments that overlap may look at so many times the postings. Otherwise it could not go on. */
const MAX_OVERLAP = 4;
/** How many times a page reads postings, of all terms at a time: a rare term has a read for each volume. Then it ends as well. */
export const MAX_READS = 12;
/** How many times it may do so where its cursor could not go on otherwise. */
export const MAX_READS_OF_OVERLAP = 16;

/** The index and the terms of a search. */
interface Searched {
  readonly view: View;
  readonly known: KnownPostings;
  readonly terms: readonly string[];
  readonly tester: Tester;
}

/** Tests entries for terms by their objects. A list has one tester, so that all its pages together test a bounded number. */
export interface Tester {
  /** How many more entries may be tested. */
  left: number;
  /** Says of each place whether its entry has all terms. */
  readonly test: (places: readonly Place[]) => Promise<readonly boolean[]>;
}

/** The entries that were found. */
export interface FoundPlaces {
  readonly rows: readonly Place[];
  /** The place from which to go on; null if there are no more. */
  readonly end: Place | null;
  /** Whether a bound ended the search, so that `rows` may be fewer than were asked for. */
  readonly isCut?: boolean;
}

/**
 * Finds the entries that have all terms, from a place on, in the order of a list or against it. Reads segment by segment, so
 * that a page of frequent terms reads few of them, however many there are. Segments may overlap.
 */
export function findPlaces(load: Load, searched: Searched, slice: PlaceSlice): Promise<FoundPlaces> {
  return new Search(load, searched, slice).run();
}

class Search {
  private readonly ahead: SegmentsAhead;
  private postings: readonly PostingsOfTerm[];
  private readonly found = new Map<string, Place>();
  private readonly untested = new Set<string>();
  /** The end of what is known of the unsealed entries, if they were cut off. */
  private readonly endOfTail: Place | null;
  private opened: SegmentReader[] = [];
  /** The index of the segment that is opened next. */
  private next = 0;
  private looked = 0;
  private reads = 0;
  /** How many entries are taken of a segment at a time. */
  private batch: number;
  private size = FIRST_POSTINGS;

  constructor(
    private readonly load: Load,
    private readonly searched: Searched,
    private readonly slice: PlaceSlice,
  ) {
    const { view, known, terms } = searched;
    const { limit } = slice;
    this.batch = limit;
    const unsealed = view.tail.find(terms, slice);
    for (const place of unsealed) this.found.set(keyOfPlace(place), place);
    this.endOfTail = unsealed.length < limit ? null : (unsealed.at(-1) ?? null);
    this.postings = terms.map((term) => known.of(term));
    this.ahead = new SegmentsAhead(view.segments, slice);
  }

  async run(): Promise<FoundPlaces> {
    const { limit, reversed, after } = this.slice;
    for (;;) {
      const isBlocked = this.openSegments();
      await this.take();
      await this.dropFailing();
      const rows = this.complete();
      if (rows.length >= limit) return { rows: rows.slice(0, limit), end: rows[limit - 1] ?? null };
      const begin = this.ahead.beginAt(this.next);
      if (this.opened.length > 0 && !this.isNeeded(begin)) continue;
      if (begin === undefined) return { rows, end: this.endOfTail };
      if (this.looked >= MAX_POSTINGS || (isBlocked && this.reads >= MAX_READS)) {
        // A segment that was taken less far than others may have further entries before the cut.
        const mayHaveMore = ({ last }: SegmentReader) => last === null || this.compare(last, begin) < 0;
        if (this.opened.some(mayHaveMore)) continue;
        const end = justBefore(begin, reversed);
        if (after === undefined || this.compare(end, after) > 0)
          return { rows: this.complete(), end, isCut: true };
        if (this.looked >= MAX_OVERLAP * MAX_POSTINGS || this.reads >= MAX_READS_OF_OVERLAP)
          throw tooLarge(
            `A page may look at ${MAX_OVERLAP * MAX_POSTINGS} postings by ${MAX_READS_OF_OVERLAP} reads, but this one needs more: search for fewer terms.`,
          );
      }
      if (isBlocked) await this.readOn();
    }
  }

  /**
   * Opens segments until they have enough entries, and all that may have entries before those that were taken. Returns whether
   * the postings of the next one must be read first.
   */
  private openSegments(): boolean {
    const { known, tester } = this.searched;
    let expected = this.found.size === 0 ? 0 : this.complete().length;
    for (const { ordinals, taken } of this.opened) expected += ordinals.length - taken;
    for (;;) {
      const segment = this.ahead.at(this.next);
      if (segment === undefined) return false;
      if (expected >= this.slice.limit && !this.isNeeded(this.ahead.beginAt(this.next))) return false;
      if (this.looked >= MAX_POSTINGS && !this.mustOpen()) return false;
      const sets = this.postings.map((ofTerm) => ofTerm.get(segment.segment));
      const maxTested = this.next === 0 ? 0 : Math.min(MAX_TESTED, tester.left);
      const opened = openSegment(segment, sets, maxTested, known, this.slice);
      if (opened === null) return true;
      this.next++;
      this.looked += sets.filter((set) => set != null).length;
      if (opened.ordinals.length === 0) continue;
      if (opened.isUntested) tester.left -= opened.ordinals.length;
      expected += opened.ordinals.length;
      this.opened.push(opened);
    }
  }

  /** Whether the next segment must be opened although the page has looked at enough: its cursor would else not move. */
  private mustOpen(): boolean {
    const begin = this.ahead.beginAt(this.next);
    const { after, reversed } = this.slice;
    return (
      begin !== undefined &&
      after !== undefined &&
      this.compare(justBefore(begin, reversed), after) <= 0 &&
      this.looked < MAX_OVERLAP * MAX_POSTINGS
    );
  }

  /** Whether a segment may have entries before some that were taken. */
  private isNeeded(begin: Place | undefined): boolean {
    return (
      begin !== undefined && this.opened.some(({ last }) => last !== null && this.compare(begin, last) <= 0)
    );
  }

  /** Takes the next places of the segments that were taken least far, and closes those that have no more. */
  private async take(): Promise<void> {
    const nearest = this.opened.reduce<Place | null>(
      (least, { last }) =>
        last !== null && (least === null || this.compare(last, least) < 0) ? last : least,
      null,
    );
    const taking = this.opened.filter(
      ({ last }) => last === null || (nearest !== null && this.compare(last, nearest) === 0),
    );
    const even = Math.ceil((2 * this.batch) / Math.max(1, taking.length));
    const taken = await Promise.all(
      taking.map((opened) => opened.take(this.load, taking.length < 2 ? this.batch : even)),
    );
    // Few rounds are enough, even if the entries of one segment come before those of all others.
    if (this.opened.length > 1) this.batch = Math.min(2 * this.batch, MAX_BATCH);
    taking.forEach(({ isUntested }, index) => {
      for (const place of taken[index] ?? []) {
        const key = keyOfPlace(place);
        if (!this.isAhead(place) || this.tailHas(place) || this.found.has(key)) continue;
        this.found.set(key, place);
        if (isUntested) this.untested.add(key);
      }
    });
    this.opened = this.opened.filter(({ ordinals, taken }) => taken < ordinals.length);
  }

  private tailHas(place: Place): boolean {
    return this.searched.view.tail.has(place, this.searched.view.update);
  }

  /** Drops the entries that lack a term, among those for which not all terms were known. */
  private async dropFailing(): Promise<void> {
    if (this.untested.size === 0) return;
    const places = this.complete().filter((place) => this.untested.has(keyOfPlace(place)));
    if (places.length === 0) return;
    const passed = await this.searched.tester.test(places);
    places.forEach((place, index) => {
      this.untested.delete(keyOfPlace(place));
      if (passed[index] !== true) this.found.delete(keyOfPlace(place));
    });
  }

  /** Returns the found entries before which there can be no others, in the direction of reading. */
  private complete(): Place[] {
    const begin = this.ahead.beginAt(this.next);
    let end = this.endOfTail;
    for (const { last } of this.opened) {
      if (last === null) return [];
      if (end === null || this.compare(last, end) < 0) end = last;
    }
    return [...this.found.values()]
      .filter(
        (place) =>
          (begin === undefined || this.compare(place, begin) < 0) &&
          (end === null || this.compare(place, end) <= 0),
      )
      .sort((a, b) => this.compare(a, b));
  }

  /** Reads postings from the next segment on: those of the rarest term alone, if its entries are few enough to be tested. */
  private async readOn(): Promise<void> {
    const { known, terms, view } = this.searched;
    const from = this.ahead.at(this.next);
    if (from === undefined) return;
    this.reads++;
    const max = this.looked < MAX_POSTINGS ? MAX_POSTINGS : MAX_OVERLAP * MAX_POSTINGS;
    const frequencies = terms.map((_, index) => this.frequencyOf(index));
    const size = Math.max(this.size, this.segmentsNeeded(frequencies));
    const limit = Math.max(1, Math.min(size, Math.floor((max - this.looked) / terms.length)));
    const unknown = terms
      .map((_, index) => index)
      .filter((index) => !this.postings[index]?.has(from.segment));
    const entries = countEntries(this.ahead.between(this.next, this.next + limit));
    const rarest = frequencies.indexOf(Math.min(...frequencies));
    const isAlone =
      this.next > 0 && unknown.includes(rarest) && (frequencies[rarest] ?? 1) * entries <= MAX_TESTED;
    const read = isAlone ? [rarest] : unknown;
    const { segments } = view;
    const { reversed } = this.slice;
    const updated = await Promise.all(
      terms.map((term, index) =>
        read.includes(index)
          ? known.read(this.load, term, { segments, from, reversed, limit })
          : Promise.resolve(this.postings[index] ?? known.of(term)),
      ),
    );
    this.postings = updated;
    this.size = GROWTH * size;
  }

  /** How many segments more are expected to be needed for a page, if the terms are independent of each other. */
  private segmentsNeeded(frequencies: readonly number[]): number {
    if (this.next === 0) return 0;
    const entries = countEntries(this.ahead.between(0, this.next));
    const perSegment =
      (frequencies.reduce((product, frequency) => product * frequency, 1) * entries) / this.next;
    return Math.ceil(Math.min(MAX_POSTINGS, this.slice.limit / perSegment));
  }

  /** How many of the entries of the segments so far have a term, from 0 to 1. */
  private frequencyOf(index: number): number {
    let [having, all] = [0, 0];
    for (const { segment, entries } of this.ahead.between(0, this.next)) {
      const ordinals = this.postings[index]?.get(segment);
      if (ordinals === undefined) continue;
      having += ordinals?.length ?? 0;
      all += entries;
    }
    return having / Math.max(1, all);
  }

  private isAhead(place: Place): boolean {
    return this.slice.after === undefined || this.compare(place, this.slice.after) > 0;
  }

  private compare(a: Place, b: Place): number {
    return this.slice.reversed ? comparePlaces(b, a) : comparePlaces(a, b);
  }
}

function countEntries(segments: readonly Segment[]): number {
  return segments.reduce((sum, { entries }) => sum + entries, 0);
}

/** The place just before another one, in the direction of reading. */
function justBefore({ rank, id }: Place, reversed: boolean): Place {
  return { rank, id: String(BigInt(id) + (reversed ? -1n : 1n)) };
}
