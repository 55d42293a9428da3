import type { Write } from '../kit/cassandra/database';
import { putAll } from '../kit/writes/row-writer';
import type { DerivableList, MembershipSource } from '../kit/lists/source';
import { shortTask, type DeclaredHandler } from '../kit/work/handler';
import type { Membership } from '../kit/work/tally';
import type { TallyCount } from './tally-count';
import type { WriteServices } from './write-services';

/** An act that one mutation does and another undoes, such as a like: a membership decides, and rows of lists and a count follow from it. */
export interface Act<T> {
  /** The kind of its tasks. */
  readonly kind: string;
  readonly source: Pick<MembershipSource<string, string, string>, 'tally' | 'owner' | 'member' | 'writes'>;
  readonly lists: readonly DerivableList[];
  /** About how many rows a change reads and writes. */
  readonly rows: number;
  /** Stores the rows of lists, and everything else that follows from the membership. It may run again. */
  store(this: void, writeServices: WriteServices, changed: ChangedMembership): Promise<T>;
  /** Throws if the caller must know that the act came to nothing. */
  requireStored?(this: void, stored: T): void;
  /** Short work after the answer. `isRepeated`: a server that was interrupted may have done some of it. */
  afterwards?(this: void, writeServices: WriteServices, stored: T, isRepeated: boolean): Promise<void>;
}

/** A membership as it is now, and the writes that make lists have its rows. */
interface ChangedMembership {
  readonly owner: string;
  readonly member: string;
  readonly membership: Membership;
  readonly rows: readonly Write[];
}

/** Declares an act from which only rows of lists and a count of the owner's members follow. */
export function simpleAct(
  declared: Pick<Act<unknown>, 'kind' | 'source' | 'lists' | 'rows'> & { readonly count?: TallyCount },
): Act<undefined> {
  const { count, ...act } = declared;
  return {
    ...act,
    async store(writeServices, { owner, rows }) {
      await putAll(writeServices.bulk(), rows);
      for (const { query, params } of (await count?.writes(writeServices.tally, owner)) ?? [])
        await writeServices.database.write(query, params);
      return undefined;
    },
  };
}

/** Makes somebody or something a member, or not. Repeating it changes nothing. Resolves to whether anything changed, and to what was stored. */
export async function setMember<T>(
  act: Act<T>,
  writeServices: WriteServices,
  owner: string,
  member: string,
  present: boolean,
): Promise<{ readonly hasChanged: boolean; readonly stored: T }> {
  const { kind, source, lists } = act;
  const { tally, outbox } = writeServices;
  const began = new Date();
  // The rows of an earlier membership have another time, and so another key.
  const clear = (before: Membership) =>
    putAll(writeServices.bulk(), source.writes(lists, owner, member, before));
  const change = { owner, list: source.tally, member, present, clear };
  const ahead = tally.readAhead(change);
  const work = async () => {
    const membership = await tally.change(change, ahead);
    const stored = await storeMembership(act, writeServices, owner, member, membership);
    act.requireStored?.(stored);
    return { at: membership.at, stored };
  };
  const payload = { [source.owner]: owner, [source.member]: member };
  const { afterwards } = act;
  const hasChanged = ({ at }: Pick<Membership, 'at'>) => at !== null && at >= began;
  const followUp = afterwards && {
    // A membership that was the same before has or had a task of its own.
    afterwards: async (made: Pick<Membership, 'at'> & { readonly stored: T }) => {
      if (hasChanged(made)) await afterwards(writeServices, made.stored, false);
    },
  };
  const made = await outbox.enqueueAndRun(kind, payload, work, followUp);
  return { hasChanged: hasChanged(made), stored: made.stored };
}

/** Completes a change that was interrupted. */
export function memberHandler<T>(act: Act<T>): (writeServices: WriteServices) => DeclaredHandler {
  const { source, rows } = act;
  return (writeServices) =>
    shortTask({ rows, person: (payload) => payload[source.member] }, async (payload) => {
      const { [source.owner]: owner = '', [source.member]: member = '' } = payload;
      const membership = await writeServices.tally.membership(owner, source.tally, member);
      if (membership === null) return;
      const stored = await storeMembership(act, writeServices, owner, member, membership);
      await act.afterwards?.(writeServices, stored, true);
    });
}

function storeMembership<T>(
  { source, lists, store }: Act<T>,
  writeServices: WriteServices,
  owner: string,
  member: string,
  membership: Membership,
): Promise<T> {
  const rows = source.writes(lists, owner, member, membership);
  return store(writeServices, { owner, member, membership, rows });
}
