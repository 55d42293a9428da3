/** A change of whether a user is hidden. */
export interface HiddenChange {
  readonly userId: string;
  readonly at: Date;
  readonly isHidden: boolean;
}

/** How long, in milliseconds, a server may not know of a change yet. */
const LATE_MS = 5000;

/** Whether a user was hidden at a moment, or a server may have taken it for that. `changes` of a user must be in the order of time. */
export async function historyOf(
  changes: AsyncIterable<HiddenChange>,
): Promise<(userId: string, moment: Date) => boolean> {
  const ofUsers = new Map<string, HiddenChange[]>();
  for await (const change of changes) {
    const known = ofUsers.get(change.userId);
    if (known) known.push(change);
    else ofUsers.set(change.userId, [change]);
  }
  const isHidden = (userId: string, until: number) =>
    ofUsers.get(userId)?.findLast(({ at }) => Number(at) <= until)?.isHidden === true;
  return (userId, moment) => isHidden(userId, Number(moment)) || isHidden(userId, Number(moment) - LATE_MS);
}
