import { Fragment, useRef, useState, type KeyboardEvent } from 'react';
import { moveOf, rowsOf, type Row } from './rows';
import { numeral } from './summary';
import type { FieldNode } from './tree';

/** The fields of a query as a tree grid. Rows with something below them can be folded and unfolded. */
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
            <th>Bytes</th>
            {hasRun && <th title="The sum of all its requests, some of which run at the same time">ms</th>}
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
              <AmountCell read={row.amounts.partitions} max={row.amounts.maxPartitions} />
              <AmountCell read={row.amounts.rows} max={row.amounts.maxRows} />
              <AmountCell read={row.amounts.bytes} max={row.amounts.maxBytes} />
              {hasRun && (
                <td>{row.amounts.milliseconds === undefined ? '' : numeral(row.amounts.milliseconds)}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {isShared && (
        <p className="cost-note">
          <span className="cost-shared">shared</span> Several fields share one request: each of them shows all
          of it, and the total counts it once.
        </p>
      )}
    </>
  );
}

/** The state of the tree grid. The arrow keys move as in WAI-ARIA's pattern for tree grids: only one row is in the tab order. */
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
  // A table with a row of its own is indented like the name of its field, where a field's only table is shown, too.
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
          {table.table.split(/(?<=_)/).map((word, index) => (
            <Fragment key={index}>
              {word}
              <wbr />
            </Fragment>
          ))}
          {table.otherTables.length > 0 && (
            <span title={`The bound includes ${table.otherTables.join(', ')}`}>
              {' '}
              +{table.otherTables.length}
            </span>
          )}
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

/** `12 / 40`: how much was read, of how much may be read at most; one of the two if the other is not known. */
function AmountCell({ read, max }: { read: number | undefined; max: number | undefined }) {
  if (read === undefined && max === undefined) return <td />;
  const bound = max === undefined ? '' : `at most ${numeral(max)}`;
  const label =
    read === undefined ? bound : [numeral(read), bound].filter((part) => part !== '').join(' of ');
  return (
    <td aria-label={label} title={label}>
      {read !== undefined && short(read)}
      {read !== undefined && max !== undefined && <span className="cost-slash">&nbsp;/ </span>}
      {max !== undefined && <span className="cost-most">{short(max)}</span>}
    </td>
  );
}

/** A number in few characters, so that the panel need not be wide: `8,120`, `113K`. */
function short(number: number): string {
  return number < 10_000 ? numeral(number) : number.toLocaleString('en', { notation: 'compact' });
}
