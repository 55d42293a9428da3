import { HIDDEN, hiddenByUser, MAX_HIDDEN_ROWS } from '../../features/hidden/hidden.table';
import type { Row } from '../../kit/cassandra/table';
import { createLoad } from '../../kit/reads/load';
import { exportAtOnce, nameUsers, type ExportedPart } from '../exported';

type HiddenRow = Row<typeof hiddenByUser>;

/** Exports the rows of a kind. */
function exportHidden(
  name: string,
  kind: string,
  lineOf: (row: HiddenRow, person: object | undefined) => object,
): ExportedPart {
  return exportAtOnce(name, [hiddenByUser], async (database, userId) => {
    const rows = await createLoad(database)(hiddenByUser.page, { viewerId: userId, limit: MAX_HIDDEN_ROWS });
    const now = new Date();
    const own = rows.filter(
      (row) => row.kind === kind && row.ended !== true && (row.until === null || row.until > now),
    );
    const targetIds = kind === HIDDEN.word ? [] : own.map(({ targetId }) => targetId);
    const people = await nameUsers(database, targetIds);
    return own.map((row, index) => lineOf(row, people[index]));
  });
}

/** The users whom a person blocks and mutes, and the muted words. The blockers of the person are not told. */
export const hiddenExported: readonly ExportedPart[] = [
  exportHidden('blocks', HIDDEN.block, ({ hiddenAt }, person) => ({ ...person, blockedAt: hiddenAt })),
  exportHidden('mutes', HIDDEN.mute, ({ hiddenAt, until, scope }, person) => ({
    ...person,
    ...{ mutedAt: hiddenAt, until, scope },
  })),
  exportHidden('muted-words', HIDDEN.word, ({ words, hiddenAt, until, scope, exceptFollowed }) => ({
    ...{ text: words, mutedAt: hiddenAt, until, where: scope, exceptFollowed: exceptFollowed === true },
  })),
];
