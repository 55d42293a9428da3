import { bestFit, columnIndices, hasOddQuotes, headersIn, isDelimiterLine, splitFields } from './csv-header';
import { readLines, type Line } from './lines';
import { FileError, type CsvColumns, type Format, type ImportRecord, type Parsed } from './record';
import { parsedRow, RowError, type Drop } from './row';

/** A CSV row. */
export interface CsvRow {
  /** The value of a column that the format knows; undefined if the file does not have it. */
  get(column: string): string | undefined;
  /** The row as `Tweet.raw` keeps it: JSON of an object from column to string. */
  raw(): string;
}

/** Makes the records of a row. Throws a `RowError` if the row cannot be imported. */
type MakeRecords = (row: CsvRow, drop: Drop) => readonly ImportRecord[];

/** The longest row, in UTF-16 units. A quoted field may span lines, but an unclosed quote must not swallow the rest of the file. */
const MAX_ROW_LENGTH = 1024 * 1024;

/** Creates a format of CSV files (RFC 4180; the first row names the columns). `open` is called once for each file. */
export function csvFormat(
  { name, summary, columns }: Required<Pick<Format, 'name' | 'summary' | 'columns'>>,
  open: () => MakeRecords | Promise<MakeRecords>,
): Format {
  return {
    name,
    summary,
    columns,
    async *read(bytes) {
      yield* readCsv(bytes, columns, await open());
    },
  };
}

/**
 * Reads CSV and turns each row into records with `make`. Throws a `FileError` if the header cannot be read or lacks columns.
 *
 * A row is complete when its quotes are paired. If the quotes are misplaced or never paired, only the first line of the
 * row is rejected, and reading goes on with the line after it. So a stray quote costs one row; with a parser that
 * cannot go back it would cost every row up to the next quote or the end of the file.
 */
async function* readCsv(
  bytes: AsyncIterable<Buffer>,
  columns: CsvColumns,
  make: MakeRecords,
): AsyncGenerator<readonly Parsed[]> {
  const reader = new CsvReader(columns, make);
  for await (const lines of readLines(bytes)) yield reader.push(lines);
  yield reader.end();
}

/** The columns that a header declares. */
interface Columns {
  readonly delimiter: string;
  /** The names of `raw`: those of the file, each once. */
  readonly names: readonly string[];
  readonly indices: ReadonlyMap<string, number>;
}

class CsvReader {
  private columns: Columns | null = null;
  private open: Line[] = [];
  private openLength = 0;
  private paired = true;

  constructor(
    private readonly wanted: CsvColumns,
    private readonly make: MakeRecords,
  ) {}

  push(lines: readonly Line[]): Parsed[] {
    const rows: Parsed[] = [];
    const waiting = [...lines].reverse();
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      this.open.push(next);
      // Its end counts too: else empty lines would never close a row.
      this.openLength += next.text.length + 1;
      if (hasOddQuotes(next.text)) this.paired = !this.paired;
      if (this.paired || this.openLength > MAX_ROW_LENGTH) this.close(rows, waiting);
    }
    return rows;
  }

  end(): Parsed[] {
    const rows: Parsed[] = [];
    while (this.open.length > 0) {
      const waiting: Line[] = [];
      this.close(rows, waiting);
      for (const row of this.push(waiting.reverse())) rows.push(row);
    }
    if (this.columns === null) throw new FileError('the file has no header, only empty lines');
    return rows;
  }

  /** Turns the open lines into a row, or rejects the first one and puts the others back into `waiting`. */
  private close(rows: Parsed[], waiting: Line[]): void {
    const [first, ...others] = this.open;
    const [open, paired] = [this.open, this.paired];
    [this.open, this.openLength, this.paired] = [[], 0, true];
    if (first === undefined) return;

    const { line } = first;
    const source = others.length === 0 ? first.text : joined(open);
    const problem = open.find((one) => one.problem !== undefined)?.problem;
    if (this.columns === null) {
      this.readHeader(source, problem ?? (paired ? undefined : 'malformed CSV: an unclosed quote'));
      return;
    }
    const fields = paired ? splitFields(source, this.columns.delimiter) : 'an unclosed quote';
    if (typeof fields === 'string') {
      rows.push({ line, rejected: first.problem ?? `malformed CSV: ${fields}`, source: first.text });
      for (const other of others.reverse()) waiting.push(other);
    } else if (fields.length > 1 || fields[0] !== '') {
      if (problem === undefined) rows.push(this.row(this.columns, line, source, fields));
      else rows.push({ line, rejected: problem, source });
    }
  }

  private readHeader(source: string, problem: string | undefined): void {
    if (problem === undefined && (source.trim() === '' || isDelimiterLine(source))) return;
    const fit = bestFit(headersIn(source, problem), this.wanted);
    if (fit === undefined) return;
    const { delimiter, names } = fit.header;
    this.columns = { delimiter, names: distinct(names), indices: columnIndices(fit) };
  }

  private row({ names, indices }: Columns, line: number, source: string, fields: readonly string[]): Parsed {
    return parsedRow(line, source, (drop) => {
      if (fields.length !== names.length)
        throw new RowError(`${names.length} columns expected, but got: ${fields.length}`);
      const row: CsvRow = {
        get: (column) => fields[indices.get(column) ?? -1],
        raw: () =>
          JSON.stringify(Object.fromEntries(names.map((name, index) => [name, fields[index] ?? '']))),
      };
      return this.make(row, drop);
    });
  }
}

/** Lines with the line ends between them, as they stand in the file. */
function joined(lines: readonly Line[]): string {
  const last = lines.length - 1;
  return lines.map(({ text, end = '' }, index) => (index === last ? text : text + end)).join('');
}

/** Names of which each comes once: the second `x` is `x (2)`. */
function distinct(names: readonly string[]): string[] {
  const taken = new Set<string>();
  // Of each name the next number: to begin again for each of thousands of equal names would take minutes.
  const next = new Map<string, number>();
  for (const name of names) {
    let free = name;
    let time = next.get(name) ?? 2;
    while (taken.has(free)) free = `${name} (${time++})`;
    next.set(name, time);
    taken.add(free);
  }
  return [...taken];
}
