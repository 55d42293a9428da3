/** How far a task has split: the progress of a task that splits. */
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
export function splitIn(progress: string | null): Split | null {
  if (progress === null) return null;
  const value = JSON.parse(progress) as Partial<Split> | null;
  return Array.isArray(value?.done) ? (value as Split) : null;
}
