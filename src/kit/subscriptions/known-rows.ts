import { ClientError } from '../base/errors';
import { LOOK_BACK_MS } from './late-arrivals';

/** How many of the newest rows are remembered, of each kind. */
const MAX_KNOWN = 20_000;

/** The newest rows of a list that a subscription knows, by id, and their times. While it waits, it usually knows none. */
export class KnownRows {
  #given: Map<string, number> | null = null;
  /** The rows that were in the list before the subscription. They are given only if they are recorded as late. */
  #existing: Map<string, number> | null = null;

  /** How many rows a look at the list may find although they are not new. */
  count(): number {
    return (this.#given?.size ?? 0) + (this.#existing?.size ?? 0);
  }

  has(id: string): boolean {
    return this.wasGiven(id) || this.#existing?.has(id) === true;
  }

  wasGiven(id: string): boolean {
    return this.#given?.has(id) === true;
  }

  addGiven(id: string, time: number): void {
    this.#given = withRow(this.#given, id, time);
  }

  addExisting(id: string, time: number): void {
    this.#existing = withRow(this.#existing, id, time);
  }

  /** Forgets the rows that are older than a time. */
  forgetBefore(time: number): void {
    this.#given = rowsSince(this.#given, time);
    this.#existing = rowsSince(this.#existing, time);
  }
}

/** Adds a row. Throws `UNAVAILABLE` if there are too many. */
function withRow(rows: Map<string, number> | null, id: string, time: number): Map<string, number> {
  if (rows !== null && rows.size >= MAX_KNOWN)
    throw new ClientError(
      'UNAVAILABLE',
      `This list has more than ${MAX_KNOWN} new items in ${LOOK_BACK_MS / 1000} s: subscribe again after the last cursor.`,
    );
  return (rows ?? new Map<string, number>()).set(id, time);
}

/** Returns the rows that are not older than a time; null if there are none, because a subscription keeps this while it waits. */
function rowsSince(rows: Map<string, number> | null, since: number): Map<string, number> | null {
  for (const [id, time] of rows ?? []) if (time < since) rows?.delete(id);
  return rows?.size === 0 ? null : rows;
}
