import { Fragment, useRef, useState, type KeyboardEvent } from 'react';
import { moveOf, rowsOf, type Row } from './rows';
import { numeral } from './summary';
import type { FieldNode } from './tree';

/** The fields of a query as a tree grid; the rows of those with something below them fold and unfold. */
export function FieldTree(props: { fields: readonly FieldNode[]; hasRun: boolean; name: string }) {
  const { fields, hasRun, name } = props;
  const { rows, tabStop, body, setCurrent, toggle, onKeyDown } = useTreeGrid(fields);
  if (rows.length === 0) return null;
  const isShared = rows.some(({ table }) => table !== undefined && table.sharedWith.length > 0);
  return (
    <>
      <table role="treegrid" className="cost-tree" aria-label={`${name}, by field`}>
        <thead>
          <tr>
            <th>Field</th>
            <th>Partitions</th>
            <th>Rows</th>
            {hasRun && <th title="Of all its requests; some run side by side">ms</th>}
          </tr>
        </thead>
        <tbody ref={body} onKeyDown={onKeyDown}>
          {rows.map((row) => (
            <tr
              key={row.id}
              aria-level={row.level}
              {...(row.isOpen !== undefined && { 'aria-expanded': row.isOpen })}
              tabIndex={row === tabStop ? 0 : -1}
              onFocus={() => setCurrent(row.id)}
              onClick={() => toggle(row)}
            >
              <NameCell row={row} />
              <AmountCell read={row.amounts.partitions} most={row.amounts.maxPartitions} />
              <AmountCell read={row.amounts.rows} most={row.amounts.maxRows} />
              {hasRun && (
                <td>{row.amounts.milliseconds === undefined ? '' : numeral(row.amounts.milliseconds)}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {isShared && (
        <p className="cost-note">
          <span className="cost-shared">shared</span> Several fields in one request: each shows all of it, the
          total counts it once.
        </p>
      )}
    </>
  );
}

/** Moves by the arrow keys, as WAI-ARIA's pattern of a tree grid describes it: one row at a time can be tabbed to. */
function useTreeGrid(fields: readonly FieldNode[]) {
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useState<string>();
  const body = useRef<HTMLTableSectionElement>(null);
  const rows = fields.flatMap((field) => rowsOf(field, folded, 1, undefined));
  const tabStop = rows.find(({ id }) => id === current) ?? rows[0];
  const toggle = (row: Row) => {
    if (row.isOpen === undefined) return;
    const others = [...folded].filter((id) => id !== row.id);
    setFolded(new Set(row.isOpen ? [...others, row.id] : others));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (tabStop === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const move = moveOf(event.key, rows, tabStop, rows.indexOf(tabStop));
    if (move === undefined) return;
    event.preventDefault();
    if (move === 'toggle') toggle(tabStop);
    else body.current?.querySelectorAll('tr')[move]?.focus();
  };
  return { rows, tabStop, body, setCurrent, toggle, onKeyDown };
}

function NameCell({ row: { level, isOpen, field, table } }: { row: Row }) {
  const { times = 1 } = field ?? {};
  // The table of a row of its own stands where a field's only table does: below the field's name.
  const depth = field ? level - 1 : level - 2;
  return (
    <td style={{ paddingLeft: `calc(${depth} * var(--px-8) + var(--px-16))` }}>
      {isOpen !== undefined && (
        <span className="cost-fold" aria-hidden="true">
          {isOpen ? '▾' : '▸'}
        </span>
      )}
      {field && (
        <span className="cost-field" title={field.field}>
          {field.name}
        </span>
      )}
      {times > 1 && (
        <span className="cost-times" title={`resolved at most ${numeral(times)} times`}>
          {' '}
          ×{numeral(times)}
        </span>
      )}{' '}
      {table && (
        <span className="cost-table">
          {table.table.split(/(?<=_)/).map((word, place) => (
            <Fragment key={place}>
              {word}
              <wbr />
            </Fragment>
          ))}
          {table.sharedWith.length > 0 && (
            <span title={`with ${table.sharedWith.join(', ')}`}>
              {' '}
              <span className="cost-shared">shared</span>
            </span>
          )}
        </span>
      )}
    </td>
  );
}

/** `12 / 40`: what was read, of what is read at most; either alone where the other is not known. */
function AmountCell({ read, most }: { read: number | undefined; most: number | undefined }) {
  if (read === undefined && most === undefined) return <td />;
  const bound = most === undefined ? '' : `at most ${numeral(most)}`;
  const label =
    read === undefined ? bound : [numeral(read), bound].filter((part) => part !== '').join(' of ');
  return (
    <td aria-label={label} title={label}>
      {read !== undefined && numeral(read)}
      {read !== undefined && most !== undefined && <span className="cost-slash"> / </span>}
      {most !== undefined && <span className="cost-most">{numeral(most)}</span>}
    </td>
  );
}
