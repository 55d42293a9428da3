import { formatCount } from '../kit/base/format-count';
import type { Outcome } from './store/outcome';

/** How many reasons and columns are told apart; what is more counts as others. It bounds memory. */
const MAX_NAMES = 100;
const OTHERS = 'others';

/** The outcomes of the rows of an import. Each row that was read is stored, changed, unchanged or rejected. */
export class Summary {
  private readonly rows = { stored: 0, changed: 0, unchanged: 0 };
  /** Relations are written without reading them, so only at the end it is known how many are new. */
  private relations = 0;
  private readonly reasons = new Map<string, number>();
  private readonly columns = new Map<string, number>();

  get read(): number {
    const { stored, changed, unchanged } = this.rows;
    return stored + changed + unchanged + this.relations + this.rejected;
  }

  get rejected(): number {
    return sum(this.reasons);
  }

  /** Counts a row that was taken. */
  take(outcome: Exclude<Outcome, object>): void {
    if (outcome === 'written') this.relations += 1;
    else this.rows[outcome] += 1;
  }

  /** Counts a rejected row by its reason, without what stands behind a colon: the values differ from row to row. */
  reject(reason: string): void {
    count(this.reasons, reason.split(/, but got|: /)[0] ?? '');
  }

  /** Counts a value that could not be read, by its column. */
  drop(column: string): void {
    count(this.columns, column);
  }

  /** Takes the number of relations that are new; all others were stored before. */
  settle(newRelations: number): void {
    const stored = Math.max(0, Math.min(newRelations, this.relations));
    this.rows.stored += stored;
    this.rows.unchanged += this.relations - stored;
    this.relations = 0;
  }

  /** The table that an import ends with. */
  toString(): string {
    const { stored, changed, unchanged } = this.rows;
    const lines: [string, number][] = [
      ['rows read', this.read],
      ['  stored', stored],
      ['  changed', changed],
      ['  unchanged', unchanged],
      ['  rejected', this.rejected],
      ...sorted(this.reasons),
      ['values dropped', sum(this.columns)],
      ...sorted(this.columns),
    ];
    const width = Math.max(...lines.map(([name]) => name.length));
    const digits = Math.max(...lines.map(([, number]) => formatCount(number).length));
    return lines
      .map(([name, number]) => `${name.padEnd(width)}  ${formatCount(number).padStart(digits)}\n`)
      .join('');
  }
}

function count(counts: Map<string, number>, name: string): void {
  const key = counts.has(name) || counts.size < MAX_NAMES ? name : OTHERS;
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((total, number) => total + number, 0);
}

/** The most frequent first. */
function sorted(counts: ReadonlyMap<string, number>): [string, number][] {
  return [...counts].sort(([, a], [, b]) => b - a).map(([name, number]) => [`    ${name}`, number]);
}
