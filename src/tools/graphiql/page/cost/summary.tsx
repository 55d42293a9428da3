import type { Report } from './report';

/** How much a query read, how much it may read and how much the server allows, in a sentence and as two bars. */
export function Summary({ report, name }: { report: Report; name: string }) {
  const { cost, reads = [], isDry } = report;
  if (cost === undefined) {
    const partitions = reads.reduce((sum, read) => sum + read.partitions, 0);
    const rows = reads.reduce((sum, read) => sum + read.rows, 0);
    return (
      <p>
        {name} read {count(partitions, 'partition')} and {count(rows, 'row')}.
      </p>
    );
  }
  const { bound, boundOfRows, boundOfBytes, limit, limitOfRows, limitOfBytes, milliseconds } = cost;
  const isRefused = bound > limit || boundOfRows > limitOfRows || boundOfBytes > limitOfBytes;
  const has = { partitions: isDry ? undefined : cost.reads, rows: isDry ? undefined : cost.rows };
  const most = `at most ${count(bound, 'partition')}`;
  return (
    <>
      <p>
        {has.partitions === undefined
          ? `${name} reads ${most} and ${count(boundOfRows, 'row')}; it was not run. `
          : `${name} read ${numeral(has.partitions)} of ${most} and ${numeral(has.rows ?? 0)} of at most ` +
            `${count(boundOfRows, 'row')}${milliseconds === undefined ? '' : `, in ${numeral(milliseconds)} ms`}. `}
        The server allows {count(limit, 'partition')} and {count(limitOfRows, 'row')}
        {boundOfBytes > limitOfBytes &&
          `, and ${count(limitOfBytes, 'byte')}, of which this has at most ${numeral(boundOfBytes)}`}
        {isDry && isRefused ? ', so it would refuse this.' : '.'}
      </p>
      {/* Screen readers skip the bars, because the sentence says the same. */}
      <div className="cost-scales" aria-hidden="true">
        <Scale name="Partitions" read={has.partitions} bound={bound} limit={limit} />
        <Scale name="Rows" read={has.rows} bound={boundOfRows} limit={limitOfRows} />
        <Scale name="Bytes" read={isDry ? undefined : cost.bytes} bound={boundOfBytes} limit={limitOfBytes} />
        <div className="cost-legend">
          {!isDry && <span className="cost-of-read">read</span>}
          <span className="cost-of-bound">at most</span>
          <span className="cost-of-limit">allowed</span>
        </div>
      </div>
    </>
  );
}

function Scale(amounts: { name: string; read: number | undefined; bound: number; limit: number }) {
  const { name, read = 0, bound, limit } = amounts;
  const widthOf = (amount: number) => ({ width: `${(100 * amount) / Math.max(limit, bound)}%` });
  return (
    <div className="cost-scale">
      <span>{name}</span>
      <span className="cost-bar">
        <span className={`cost-of-bound${bound > limit ? ' over' : ''}`} style={widthOf(bound)} />
        {read > 0 && <span className="cost-of-read" style={widthOf(read)} />}
      </span>
    </div>
  );
}

/** A number with separators of thousands: `5,240`. */
export function numeral(number: number): string {
  return number.toLocaleString('en', { maximumFractionDigits: 1 });
}

function count(number: number, of: string): string {
  return `${numeral(number)} ${of}${number === 1 ? '' : 's'}`;
}
