import type { Amounts, FieldNode, TableNode } from './tree';

/** A visible row of the tree: a field, or one of the tables of a field with several. */
export interface Row {
  readonly id: string;
  readonly level: number;
  readonly parent: string | undefined;
  /** Undefined if nothing is below it. */
  readonly isOpen: boolean | undefined;
  readonly amounts: Amounts;
  readonly field?: FieldNode;
  /** A field's only table is shown in the field's own row. */
  readonly table?: TableNode | undefined;
}

/** The rows of a field and of everything that is unfolded below it. */
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
    const position = { id: `${id} ${amounts.table}`, level: level + 1, parent: id, isOpen: undefined };
    return { ...position, amounts, table: amounts };
  });
  return [row, ...tableRows, ...children.flatMap((child) => rowsOf(child, folded, level + 1, id))];
}

/** The index of the row that a key leads to, or `toggle` if the key folds or unfolds the current row. */
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
