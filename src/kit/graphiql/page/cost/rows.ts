import type { Amounts, FieldNode, TableNode } from './tree';

/** A row of the tree as it is unfolded: a field, or one of its several tables. */
export interface Row {
  readonly id: string;
  readonly level: number;
  readonly parent: string | undefined;
  /** Undefined where nothing is below. */
  readonly isOpen: boolean | undefined;
  readonly amounts: Amounts;
  readonly field?: FieldNode;
  /** A field's only table is told in the field's own row. */
  readonly table?: TableNode | undefined;
}

/** A field with all that is unfolded below it. */
export function rowsOf(
  field: FieldNode,
  folded: ReadonlySet<string>,
  level: number,
  parent: string | undefined,
): Row[] {
  const { path: id, tables, children, total } = field;
  const [only] = tables;
  const several = tables.length > 1 ? tables : [];
  const isOpen = several.length + children.length > 0 ? !folded.has(id) : undefined;
  const table = tables.length === 1 ? only : undefined;
  const row: Row = { id, level, parent, isOpen, amounts: total, field, table };
  if (!isOpen) return [row];
  const tableRows = several.map((amounts): Row => {
    const place = { id: `${id} ${amounts.table}`, level: level + 1, parent: id, isOpen: undefined };
    return { ...place, amounts, table: amounts };
  });
  return [row, ...tableRows, ...children.flatMap((child) => rowsOf(child, folded, level + 1, id))];
}

/** Which row a key leads to, by its index, or that it folds or unfolds this one. */
export function moveOf(
  key: string,
  rows: readonly Row[],
  row: Row,
  index: number,
): number | 'toggle' | undefined {
  switch (key) {
    case 'ArrowDown':
      return Math.min(index + 1, rows.length - 1);
    case 'ArrowUp':
      return Math.max(index - 1, 0);
    case 'Home':
      return 0;
    case 'End':
      return rows.length - 1;
    case 'ArrowRight':
      return row.isOpen === undefined ? undefined : row.isOpen ? index + 1 : 'toggle';
    case 'ArrowLeft':
      if (row.isOpen) return 'toggle';
      return row.parent === undefined ? undefined : rows.findIndex(({ id }) => id === row.parent);
    case 'Enter':
      return row.isOpen === undefined ? undefined : 'toggle';
    default:
      return undefined;
  }
}
