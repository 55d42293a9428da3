/** How far a task has split: the checkpoint of a task that splits. */
export interface Split {
  /** The splits that are completed. */
  readonly done: readonly string[];
  readonly name: string;
  /** The end of the last chunk that is stored. */
  readonly end: string | null;
  /** Whether all chunks are stored. */
  readonly isPlanned: boolean;
}

/** The split in a checkpoint; null if there is none. */
export function splitIn(checkpoint: string | null): Split | null {
  if (checkpoint === null) return null;
  const value = JSON.parse(checkpoint) as Partial<Split> | null;
  return Array.isArray(value?.done) ? (value as Split) : null;
}
