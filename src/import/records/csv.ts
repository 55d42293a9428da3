import { excerpt, parsedRow, RowError } from './row';
import { readLines, type Line } from './lines';
import type { ImportRecord, Parsed } from './record';

/** A CSV row: its values by column name. */
export type Columns = ReadonlyMap<string, string>;

/** A quoted field may span lines, but an unclosed quote must not swallow the rest of the file. In UTF-16 units. */
const MAX_ROW_LENGTH = 1024 * 1024;

/**
 * Reads CSV (RFC 4180; the first row names the columns) and turns each row into records with `make`.
 *
 * A row is complete when its quotes are paired. If the quotes are misplaced or never paired, only the first line of the
 * row is rejected, and reading goes on with the line after it. So a stray quote costs one row; with a parser that
 * cannot go back it would cost every row up to the next quote or the end of the file.
 */
export async function* readCsv(
  chunks: AsyncIterable<Buffer>,
  make: (row: Columns) => readonly ImportRecord[],
): AsyncGenerator<readonly Parsed[]> {
  const reader = new CsvReader(make);
  for await (const lines of readLines(chunks)) yield reader.push(lines);
  yield reader.end();
}

/** The column names of a CSV file that begins with `head`; none if its first line is not CSV. */
export function columnsOf(head: string): readonly string[] {
  const first = /^\uFEFF?([^\r\n]*)/.exec(head)?.[1] ?? '';
  const fields = splitFields(first);
  return typeof fields === 'string' ? [] : fields;
}

/** The row as `Tweet.raw` keeps it: JSON of an object from column to string. */
export function rawOf(row: Columns): string {
  return JSON.stringify(Object.fromEntries(row));
}

class CsvReader {
  private names: readonly string[] | null = null;
  private open: Line[] = [];
  private openLength = 0;
  private paired = true;

  constructor(private readonly make: (row: Columns) => readonly ImportRecord[]) {}

  push(lines: readonly Line[]): Parsed[] {
    const rows: Parsed[] = [];
    const waiting = [...lines].reverse();
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      this.open.push(next);
      this.openLength += next.text.length;
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
      rows.push(...this.push(waiting.reverse()));
    }
    return rows;
  }

  /** Turns the open lines into a row, or rejects the first one and puts the others back into `waiting`. */
  private close(rows: Parsed[], waiting: Line[]): void {
    const [first, ...others] = this.open;
    const [open, paired] = [this.open, this.paired];
    [this.open, this.openLength, this.paired] = [[], 0, true];
    if (first === undefined) return;

    const source = open.map((line) => line.text).join('\n');
    const fields = paired ? splitFields(source.replace(/\r$/, '')) : 'an unclosed quote';
    if (typeof fields === 'string') {
      rows.push({
        line: first.line,
        rejected: first.problem ?? `malformed CSV: ${fields}`,
        source: first.text,
      });
      waiting.push(...others.reverse());
    } else if (fields.length > 1 || fields[0] !== '') {
      const problem = open.find((line) => line.problem !== undefined)?.problem;
      if (problem === undefined) this.row(rows, first.line, source, fields);
      else rows.push({ line: first.line, rejected: problem, source });
    }
  }

  private row(rows: Parsed[], line: number, source: string, fields: readonly string[]): void {
    const names = this.names;
    if (names === null) {
      this.names = fields;
      return;
    }
    rows.push(
      parsedRow(line, source, () => {
        if (fields.length !== names.length) {
          throw new RowError(`${names.length} columns expected, but got ${fields.length}`);
        }
        return this.make(new Map(names.map((name, index) => [name, fields[index] ?? ''])));
      }),
    );
  }
}

function hasOddQuotes(text: string): boolean {
  let odd = false;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) odd = !odd;
  return odd;
}

/** The fields of one row, or what is wrong with its quotes. */
function splitFields(row: string): string[] | string {
  const fields: string[] = [];
  for (let at = 0; ;) {
    if (row[at] === '"') {
      const end = closingQuote(row, at + 1);
      if (end === -1) return 'an unclosed quote';
      if (end + 1 < row.length && row[end + 1] !== ',') {
        return `a quote inside a quoted field, at: ${excerpt(row.slice(end))}`;
      }
      fields.push(row.slice(at + 1, end).replaceAll('""', '"'));
      if (end + 1 === row.length) return fields;
      at = end + 2;
    } else {
      const comma = row.indexOf(',', at);
      const field = row.slice(at, comma === -1 ? row.length : comma);
      if (field.includes('"')) return `a quote inside a field without quotes: ${excerpt(field)}`;
      fields.push(field);
      if (comma === -1) return fields;
      at = comma + 1;
    }
  }
}

function closingQuote(row: string, from: number): number {
  for (let at = row.indexOf('"', from); at !== -1; at = row.indexOf('"', at + 2)) {
    if (row[at + 1] !== '"') return at;
  }
  return -1;
}
