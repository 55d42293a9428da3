import { linesIn, type Line } from './lines';
import { FileError, type CsvColumns } from './record';
import { excerpt } from './row';

/** The delimiters, comma first. Spreadsheets of half of Europe write semicolons, because their numbers have commas. */
const delimiters = [',', ';', '\t', '|'] as const;
/** The line with which Excel names the delimiter of a file. */
const excelDelimiter = /^sep=(.)$/i;

/** The first row of a CSV file, split by one delimiter. */
interface Header {
  readonly delimiter: string;
  /** The names as they stand in the file. */
  readonly names: readonly string[];
}

/**
 * The headers that the first row of a CSV file may be, one for each delimiter that it may have. Throws a `FileError` if it cannot be
 * read: the next row would then be taken for the header.
 */
export function headersIn(source: string, problem?: string): readonly Header[] {
  if (problem !== undefined)
    throw new FileError(`the header, which is the first line, cannot be read: ${problem}`);
  const headers: Header[] = [];
  let misplaced = '';
  for (const delimiter of delimiters) {
    const names = splitFields(source, delimiter);
    if (typeof names === 'string') misplaced ||= names;
    else headers.push({ delimiter, names });
  }
  if (headers.length === 0)
    throw new FileError(`the header, which is the first line, cannot be read: malformed CSV: ${misplaced}`);
  return headers;
}

/** Whether a row is only there to name the delimiter. */
export function isDelimiterLine(source: string): boolean {
  return excelDelimiter.test(source);
}

/** The headers that the first row may be of a file that begins with `head`; none if it has no row. Throws a `FileError`, as above. */
export function headersAtHead(head: Buffer): readonly Header[] {
  const lines = linesIn(head);
  let first = lines.findIndex(({ text }) => text.trim() !== '' && !isDelimiterLine(text));
  if (first === -1) return [];
  let source = '';
  for (let line: Line | undefined = lines[first]; line !== undefined; line = lines[++first]) {
    if (line.problem !== undefined) return headersIn('', line.problem);
    source += line.text;
    if (!hasOddQuotes(source)) return headersIn(source);
    source += line.end ?? '';
  }
  return headersIn('', 'malformed CSV: an unclosed quote');
}

/** The fit of a header to the columns of a format. */
export interface Fit {
  readonly header: Header;
  /** The required columns that it lacks. */
  readonly missing: readonly string[];
  /** The columns that the format knows. */
  readonly known: readonly string[];
  /** The columns that say that the rows are something else. */
  readonly foreign: readonly string[];
}

/** Returns the fit of the best of some headers to the columns of a format; undefined if there is no header. */
export function bestFit(headers: readonly Header[], columns: CsvColumns): Fit | undefined {
  const fits = headers.map((header) => findFit(header, columns));
  return fits.sort((a, b) => a.missing.length - b.missing.length || b.known.length - a.known.length)[0];
}

function findFit(header: Header, { required, optional, foreign }: CsvColumns): Fit {
  const names = new Set(header.names.map(folded));
  const read = [...required, ...optional];
  return {
    header,
    missing: required.filter((name) => !names.has(name)),
    known: read.filter((name) => names.has(name)),
    foreign: [...names].filter((name) => !read.includes(name) && foreign?.test(name) === true),
  };
}

/** A column's name as it is compared: `Tweet_ID ` is `tweet_id`. */
function folded(name: string): string {
  return name.trim().toLowerCase();
}

/** Finds the columns of a format by their names. Throws a `FileError` if one is missing or comes twice. */
export function columnIndices({ header, missing, known }: Fit): ReadonlyMap<string, number> {
  if (missing.length > 0)
    throw new FileError(
      `the columns must include ${missing.join(', ')}, but the header is: ${excerpt(header.names.join(header.delimiter))}`,
    );
  const indices = new Map<string, number>();
  for (const [index, name] of header.names.map(folded).entries()) {
    if (indices.has(name) && known.includes(name))
      throw new FileError(`a column must have a name of its own, but two have the name ${name}`);
    indices.set(name, index);
  }
  return indices;
}

/** Whether the number of quotes in `text` is odd: a field that is open at its end goes on in the next line. */
export function hasOddQuotes(text: string): boolean {
  let odd = false;
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) odd = !odd;
  return odd;
}

/** The fields of one row, or what is wrong with its quotes. */
export function splitFields(row: string, delimiter: string): string[] | string {
  const fields: string[] = [];
  for (let at = 0; ;) {
    if (row[at] === '"') {
      const end = closingQuote(row, at + 1);
      if (end === -1) return 'an unclosed quote';
      if (end + 1 < row.length && row[end + 1] !== delimiter) {
        return `a quote inside a quoted field, at: ${excerpt(row.slice(end))}`;
      }
      fields.push(row.slice(at + 1, end).replaceAll('""', '"'));
      if (end + 1 === row.length) return fields;
      at = end + 2;
    } else {
      const next = row.indexOf(delimiter, at);
      const field = row.slice(at, next === -1 ? row.length : next);
      if (field.includes('"')) return `a quote inside a field without quotes: ${excerpt(field)}`;
      fields.push(field);
      if (next === -1) return fields;
      at = next + 1;
    }
  }
}

function closingQuote(row: string, from: number): number {
  for (let at = row.indexOf('"', from); at !== -1; at = row.indexOf('"', at + 2)) {
    if (row[at + 1] !== '"') return at;
  }
  return -1;
}
