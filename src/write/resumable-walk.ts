import type { TaskRun } from '../kit/work/handler';

/** The parts of a growing task's run by which it goes on where it was interrupted. */
export type Resumable = Pick<TaskRun, 'checkpoint' | 'saveCheckpoint'>;

/** A run that begins at the beginning, for work whose caller repeats all of it if it is interrupted. */
export const FROM_THE_BEGINNING: Resumable = { checkpoint: null, saveCheckpoint: () => Promise.resolve() };

/** A checkpoint of work that goes through lists, one after another. */
interface Progress {
  /** The version that the work was done for. If it has changed, the work begins again. */
  readonly version: string;
  readonly list: string;
  /** The id of the last item of the list that is done; null once all are. */
  readonly after: string | null;
}

/** Goes through lists, one after another. */
export interface ResumableWalk {
  /**
   * Does work on each page of a list, and stores a checkpoint after it. `pages` reads those after an item, or all for an empty
   * id. Resolves to false if `work` did, because there is no use in going on.
   */
  through<R>(
    list: string,
    pages: (after: string) => AsyncIterable<readonly R[]>,
    idOf: (row: R) => string,
    work: (page: readonly R[]) => Promise<boolean>,
  ): Promise<boolean>;
}

/** Creates a walk through lists, in this order, that goes on from the last checkpoint, if that was made for the same version. */
export function createResumableWalk(
  { checkpoint, saveCheckpoint }: Resumable,
  version: string | number,
  lists: readonly string[],
): ResumableWalk {
  const before = checkpoint === null ? null : (JSON.parse(checkpoint) as Partial<Progress>);
  const resumed = before?.version === String(version) ? before : null;
  const done = resumed === null ? -1 : lists.indexOf(resumed.list ?? '');
  const store = (list: string, after: string | null) =>
    saveCheckpoint(JSON.stringify({ version: String(version), list, after } satisfies Progress));
  return {
    async through(list, pages, idOf, work) {
      const index = lists.indexOf(list);
      if (index < done || (index === done && resumed?.after === null)) return true;
      for await (const page of pages(index === done ? (resumed?.after ?? '') : '')) {
        if (!(await work(page))) return false;
        const last = page.at(-1);
        if (last !== undefined) await store(list, idOf(last));
      }
      await store(list, null);
      return true;
    },
  };
}
