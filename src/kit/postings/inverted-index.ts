import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from '../cassandra/database';
import { takeLease } from '../writes/lease';
import { createLoad, type Load } from '../reads/load';
import { asError, overloaded } from '../base/errors';
import { shuffled } from '../base/random';
import { TokenBuckets } from '../base/token-bucket';
import { buildSegments, type TermsOf } from './build-segments';
import { addSegments, commitMaintained, divideList } from './commit';
import { keyOfPlace, type Place } from './entry';
import { FIRST_POSTINGS, findPlaces, MAX_POSTINGS, type FoundPlaces, type Tester } from './find';
import { BusyTime } from './divide';
import { KnownPostings } from './known-postings';
import { groupsInOrder } from './in-order';
import { INDEX_LIMITS } from './limits';
import { locateEntries, type EntryLocation } from './lookup';
import {
  isSealedAhead,
  nextMerge,
  mergeSegments,
  reopenPart,
  sealEntries,
  type Maintained,
} from './maintain';
import { firstPlaces } from './opened';
import { intersect, ordinalsWithout } from './ordinals';
import { partOf, type PartView } from './part';
import { cachedVersion } from './postings.table';
import { MAX_SEALED_MS, removeOldSegments, removeSealed } from './remove-old';
import type { PlaceSlice } from './tail';
import { createView, MAX_ADDING_MS, partIn, type View } from './view';
import { Volumes } from './volumes';

/** How many times the postings of a term are read to find out whether there are any. */
export const MAX_READS_OF_TERM = 4;

/** The slice of postings that is read for anything but a search. */
const FIRST = { reversed: false, limit: FIRST_POSTINGS };

/** A list that is indexed. */
export interface IndexedList {
  /** The name of the list, under which its entries are stored. */
  readonly list: string;
  /** Finds the terms of entries by their objects, for merging and rebuilding; null for an object that is gone. */
  termsOf(this: void, load: Load, places: readonly Place[]): ReturnType<TermsOf>;
}

/** When entries are moved into segments. */
interface Sealing {
  /** Entries are sealed when the oldest is so old, in milliseconds, or when there are many. */
  readonly afterMs: number;
  /** Only entries of at least this age are sealed; at least `SEALED_AGE_MS` while others may add entries. */
  readonly ageMs?: number;
  readonly stopping?: AbortSignal;
}

/** An entry of this age, in milliseconds, is known to every server, and no entry comes that is as old. */
const SEALED_AGE_MS = 4 * MAX_ADDING_MS;
/** The fullness of a tail from which entries are sealed before the oldest is due. */
const DUE_FULLNESS = 1 / 4;
/** The fullness of a tail from which each person may add only so many entries to it, so that a few people cannot fill it. */
const SHARED_FULLNESS = 1 / 2;
const ENTRIES_OF_ONE = { capacity: 10, seconds: 60 };
/** Seconds after which a writer that was refused should try again: about as long as it takes to seal entries. */
const RETRY_AFTER_SECONDS = 10;
const REMOVE_EVERY_MS = 60_000;
/** If no entries come, it is recorded so often that there are none, because servers look for them from that time on. */
const EMPTY_MS = 3_600_000;

/** An inverted index of a list: finds its entries by their terms. Entries are added by `addEntries`. */
export class InvertedIndex {
  readonly known: KnownPostings;
  readonly list: string;
  private readonly kept: ReturnType<typeof createView>;
  /** The versions as of which the view was brought up to date. */
  private readonly seen = new WeakSet();
  private readonly shares = new TokenBuckets(ENTRIES_OF_ONE);
  private readonly busyTime: BusyTime;
  /** When replaced segments of a part were last removed, by its number. */
  private readonly removedAt = new Map<number, number>();

  constructor(
    readonly database: Database,
    private readonly indexed: IndexedList,
    private readonly limits = INDEX_LIMITS,
  ) {
    this.list = indexed.list;
    this.known = new KnownPostings(indexed.list);
    this.kept = createView(database, indexed.list, limits, this.known);
    this.busyTime = new BusyTime(limits);
  }

  /**
   * Returns the list as it is now or, if the caller of `load` may see cached results, as it was a moment ago. Reads one partition by
   * `load`, and for all callers together the changes since.
   */
  async view(load: Load): Promise<View> {
    const shown = await load(cachedVersion, { list: this.list, limit: 1 });
    const current = this.kept.current();
    if (current !== null && this.seen.has(shown)) return current;
    const view = await this.update();
    this.seen.add(shown);
    return view;
  }

  /** Finds the terms of entries by what they stand for. */
  termsOf(load: Load, places: readonly Place[]): ReturnType<TermsOf> {
    return this.indexed.termsOf(load, places);
  }

  /** The list as it is now. */
  update(): Promise<View> {
    return this.kept.update();
  }

  /** How large the list is, as of the last update. `bytes` are those of the unsealed entries in memory. */
  size(): {
    readonly parts: number;
    readonly segments: number;
    readonly unsealed: number;
    readonly bytes: number;
  } {
    const view = this.kept.current();
    const { size = 0, bytes = 0 } = view?.tail ?? {};
    return { parts: this.parts, segments: view?.segments.length ?? 0, unsealed: size, bytes };
  }

  /** How full the memory of unsealed entries is, as of the last update: 0 to 1, and at 1 no more are read. */
  fullness(): number {
    return (this.kept.current()?.tail.bytes ?? 0) / this.limits.tailBytes;
  }

  /**
   * Throws `UNAVAILABLE` if an entry that a person added now would not be found before others are sealed, or if the tail is half full and
   * the person has added many since.
   */
  requireRoom(person: string): void {
    const fullness = this.fullness();
    if (fullness >= 1 || (fullness >= SHARED_FULLNESS && this.shares.take(person, 1) > 0))
      throw overloaded(RETRY_AFTER_SECONDS);
  }

  /** Finds the entries that have all terms: see `findPlaces`. */
  async find(load: Load, terms: readonly string[], slice: PlaceSlice, tester: Tester): Promise<FoundPlaces> {
    const view = await this.view(load);
    return findPlaces(load, { view, known: this.known, terms, tester }, slice);
  }

  /**
   * Whether more than `max` entries are known to have all terms. If nothing is known of a term, its first postings are read, as a page reads them. False also means
   * that more would have to be read. Entries that were removed count until their segment is merged, and those that were just added again count twice.
   */
  async hasMoreThan(load: Load, terms: readonly string[], max: number): Promise<boolean> {
    const view = await this.view(load);
    const [from] = view.segments;
    const read = async (term: string) => {
      if (from === undefined || this.known.of(term).has(from.segment)) return;
      await this.known.read(load, term, { ...FIRST, segments: view.segments, from });
    };
    await Promise.all(terms.map(read));
    return this.countKnown(view, terms, max + 1) > max;
  }

  /** How many entries are known to have all terms, up to `max`. Looks at no more postings than a page does. */
  private countKnown(view: View, terms: readonly string[], max: number): number {
    const postings = terms.map((term) => this.known.of(term));
    let count = view.tail.find(terms, { reversed: false, limit: max }).length;
    let looked = 0;
    for (const { segment, superseded } of view.segments) {
      const sets = postings.map((ofTerm) => ofTerm.get(segment));
      const given = sets.filter((set) => set != null);
      if (count >= max || (looked += given.length) > MAX_POSTINGS) break;
      if (sets.includes(null)) continue;
      if (given.length < sets.length) break;
      const all = intersect(given);
      count += superseded === null ? all.length : ordinalsWithout(all, superseded).length;
    }
    return Math.min(count, max);
  }

  /**
   * Some of the first entries that have a term, at most `max`, by few reads; null if none has or had it. They may be fewer than there
   * are, or none, because segments that are being replaced are not searched. With a `max` of 0, it reads no entries.
   */
  async someHaving(load: Load, term: string, max: number): Promise<readonly Place[] | null> {
    const { tail, segments } = await this.view(load);
    const places = tail.find([term], { reversed: false, limit: Math.max(1, max) });
    let known = this.known.of(term);
    for (let reads = 0; ; reads++) {
      const having = [...known.values()].filter((set) => set !== null).length;
      let found = 0;
      for (const segment of segments) {
        if (found === having) break;
        const set = known.get(segment.segment);
        if (set == null) continue;
        found++;
        if (places.length >= max) break;
        places.push(...(await firstPlaces(load, segment, set, this.known, max - places.length)));
      }
      if (found > 0) return places.slice(0, max);
      if (places.length > 0 || reads === MAX_READS_OF_TERM) return places.slice(0, max);
      const from = segments.first(({ segment }) => !known.has(segment));
      if (from === undefined) return null;
      known = await this.known.read(load, term, { ...FIRST, segments, from });
    }
  }

  /** Returns those of the given places that the list has. */
  async having(places: readonly Place[]): Promise<ReadonlySet<string>> {
    const view = await this.update();
    const located = await locateEntries(createLoad(this.database), this.known, view.segments, places);
    const unsealed = places.filter((place) => view.tail.has(place)).map(keyOfPlace);
    const sealed = [...located].flatMap(([key, locations]) => (locations.some(isCurrent) ? key : []));
    return new Set([...sealed, ...unsealed]);
  }

  /** How many parts the list has, as of the last update. */
  get parts(): number {
    return this.kept.current()?.parts.length ?? 1;
  }

  /**
   * Moves entries into segments if it is time to, merges segments, and removes those that were replaced. Leaves out the parts of the list
   * that other servers are doing this to. Divides the list if it is too busy for its parts. Resolves to the number of entries that were sealed; null if it is not time.
   */
  async maintain(sealing: Sealing): Promise<number | null> {
    const known = await this.update();
    const parts = this.busyTime.partsNeeded(known);
    if (parts !== null) await divideList(this.database, this.list, parts);
    let sealed: number | null = null;
    let failed: unknown;
    // Servers take the parts in different orders, so that each does some of them; after a division, all take the lower parts first.
    const isSettled = known.parts.every((part) => part.sealedThrough >= this.settledAt(known));
    for (const { number } of isSettled ? shuffled(known.parts) : known.parts) {
      try {
        const ofPart = await this.maintainPart(number, sealing);
        if (ofPart !== null) sealed = (sealed ?? 0) + ofPart;
      } catch (error) {
        sealing.stopping?.throwIfAborted();
        failed ??= error;
      }
      // Whether a part is due takes a look at all unsealed entries.
      await nextTurn();
    }
    if (failed !== undefined) throw asError(failed);
    return sealed;
  }

  private async maintainPart(
    number: number,
    { afterMs, ageMs = SEALED_AGE_MS, stopping }: Sealing,
  ): Promise<number | null> {
    const view = this.kept.current() ?? (await this.update());
    const part = partIn(view, number);
    if (!this.isDue(view, part, ageMs, afterMs) && nextMerge(part.segments, this.limits).length === 0)
      return null;
    const lease = await takeLease(this.database, part.lease);
    if (lease === null) return null;
    const maintained = this.maintained(stopping);
    try {
      const sealed = await this.sealDue(maintained, number, ageMs, afterMs);
      // Only one merge is made at a time, so that entries that come meanwhile are sealed in between.
      stopping?.throwIfAborted();
      const latest = await this.update();
      const now = partIn(latest, number);
      const merged = nextMerge(now.segments, this.limits);
      try {
        if (merged.length > 0) await mergeSegments(maintained, merged, latest, now);
      } finally {
        // Replaced segments are removed even if a merge fails again and again: otherwise its results would fill the disk.
        if (stopping?.aborted !== true) await this.removeOld(part);
      }
      return sealed;
    } finally {
      await lease.release();
    }
  }

  /** Removes what was replaced in a part: at most once a minute if the list is divided, because it reads all rows of the part. */
  private async removeOld({ number, of }: PartView): Promise<void> {
    const last = this.removedAt.get(number) ?? 0;
    if (of > 1 && Date.now() - last < REMOVE_EVERY_MS) return;
    this.removedAt.set(number, Date.now());
    await removeOldSegments(this.database, partOf(this.list, number, of));
  }

  /**
   * Builds all segments anew from the places of the list, which may come in any order. The caller holds the leases of the parts that are known; `confirm`
   * rejects if it has lost one. Requests are answered meanwhile, and new entries are sealed between two segments if they are many. Resolves
   * to the number of entries.
   */
  async rebuild(
    places: AsyncIterable<Place>,
    confirm: () => Promise<void>,
    onProgress: (places: number) => void,
  ): Promise<number> {
    const maintained = this.maintained(undefined);
    const held = Array.from({ length: this.parts }, (_, number) => number);
    // Entries that are not sealed yet take precedence over segments, but their terms may be what is to be corrected.
    for (const number of held) await this.sealDue(maintained, number, SEALED_AGE_MS, 0);
    const { segments, parts } = await this.update();
    const { database, limits } = this;
    const volumes = new Volumes(segments, limits);
    let [done, entries, groups] = [0, 0, 0];
    for await (const some of groupsInOrder(places, limits.segmentEntries)) {
      const before = done;
      const options = {
        limits,
        volumes,
        onProgress: (more: number) => {
          onProgress(before + more);
        },
      };
      const part = partOf(this.list, groups++ % held.length, parts.length);
      const added = await buildSegments(database, part, some, maintained.termsOf, options);
      await confirm();
      // An entry that is also in a segment from before is shown once.
      await addSegments(database, part, added);
      for (const segment of added) entries += segment.entries;
      done += some.length;
      for (const number of held) await this.sealDue(maintained, number, SEALED_AGE_MS, Infinity);
    }
    const view = await this.update();
    // Others maintain these parts only if this server has lost their leases: until now, which this finds out, or from now on, which the commits do.
    await confirm();
    for (const { number, segments: replaced } of parts.slice(0, held.length)) {
      const part = partIn(view, number);
      await commitMaintained(database, part, { added: [], replaced: [...replaced] });
    }
    return entries;
  }

  /** Seals the entries of a part that have an age if it is time to. Resolves to their number; null if it is not time. */
  private async sealDue(
    maintained: Maintained,
    number: number,
    ageMs: number,
    afterMs: number,
  ): Promise<number | null> {
    let view = await this.update();
    let part = partIn(view, number);
    if (!this.isDue(view, part, ageMs, afterMs)) return null;
    if (isSealedAhead(part, ageMs)) {
      await reopenPart(this.database, part);
      return this.sealDue(maintained, number, ageMs, afterMs);
    }
    // If the clock were ahead, the moment might be still to come, and entries that are added until then would count as sealed.
    this.database.clock.requireRight();
    const before = part.sealedThrough;
    const through = Math.min(Date.now() - ageMs, before + MAX_SEALED_MS);
    let sealed = 0;
    while (part.sealedThrough < through) {
      maintained.stopping?.throwIfAborted();
      sealed += await sealEntries(maintained, view, part, through);
      view = await this.update();
      part = partIn(view, number);
    }
    await removeSealed(this.database, part, before);
    return sealed;
  }

  /**
   * Whether the entries of a part that have an age are to be sealed: they are many, or all unsealed ones take much memory, and it was not sealed just now; or the
   * oldest is `afterMs` older than that. After a division, a part waits until those with lower numbers are sealed: an earlier entry of theirs would replace a later one.
   */
  private isDue(view: View, part: PartView, ageMs: number, afterMs: number): boolean {
    if (isSealedAhead(part, ageMs)) return true;
    const { number, of, sealedThrough } = part;
    const { tail, parts } = view;
    const through = Date.now() - ageMs;
    const settledAt = this.settledAt(view);
    if (parts.some((lower) => lower.number < number && lower.sealedThrough < settledAt)) return false;
    if (sealedThrough < settledAt && through >= settledAt) return true;
    // The tail keeps for a moment what was sealed.
    const { entries, oldest } = tail.between(sealedThrough, through, number);
    const areMany =
      entries * of >= this.limits.dueEntries || (entries > 0 && this.fullness() >= DUE_FULLNESS);
    return (
      (areMany && through - sealedThrough >= this.limits.sealedEveryMs) ||
      oldest <= through - afterMs ||
      (entries === 0 && through - sealedThrough >= EMPTY_MS)
    );
  }

  /** Returns the moment up to which all parts must be sealed after a division before they are independent again. */
  private settledAt({ dividedAt }: View): number {
    return dividedAt + this.limits.settledAfterMs;
  }

  private maintained(stopping: AbortSignal | undefined): Maintained {
    const { database, limits, known } = this;
    const termsOf = (places: readonly Place[]) => this.termsOf(createLoad(database), places);
    return { database, limits, known, termsOf, stopping };
  }
}

/** Whether an entry was not added again later. */
function isCurrent({ segment: { superseded }, ordinal }: EntryLocation): boolean {
  return superseded === null || ordinalsWithout(Uint16Array.of(ordinal), superseded).length > 0;
}
