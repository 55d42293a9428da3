import { parseAccountId } from '../records/id';
import { linesIn, readLines, type Line } from '../records/lines';
import type { Format, Parsed, FollowRecord } from '../records/record';
import { csvFormat, type CsvRow } from '../records/csv';
import { TWEET_COLUMN } from './tweet-column';
import { excerpt, optionalUsername, RowError, withoutFraction } from '../records/row';

const id = String.raw`"?(\d+(?:\.0*)?)"?`;
const pair = String.raw`[ \t]*${id}(?:[ \t]+(?:[,;|][ \t]*)?|[,;|][ \t]*)${id}`;
/**
 * Matches two ids, which data frames write as `12.0` and some exports in quotes. Further columns, such as a weight or a time, are only
 * counted.
 */
const edge = new RegExp(String.raw`^${pair}(?:[ \t,;|](.*))?$`, 's');
/** How many rows show how many columns those of a file have, and whether it is of this format. */
const SEEN_ROWS = 100;
/** SNAP writes comments with #, Konect and Matrix Market with %. */
const blankOrComment = /^[ \t]*(?:[#%].*)?$/s;
/** The first line of a file of Matrix Market: before the edges, a row says how many rows, columns and edges there are. */
const MATRIX = /^%%MatrixMarket\b/i;
const SIZES = /^\s*\d+\s+\d+\s+\d+\s*$/;

/** An edge list, with `A B` and any more columns on each line: A follows B. */
export const follows: Format = {
  name: 'follows',
  summary: 'edge list, "A B …": A follows B (numeric ids; spaces, tabs or commas; # and % comments)',
  // Any CSV with a header has a line that does not begin with two ids.
  detect(head) {
    const lines = firstLines(head);
    return lines.length > 0 && lines.every(({ text }) => edge.test(text));
  },
  describeNear(head) {
    const lines = firstLines(head);
    const [other, ...more] = lines.filter(({ text }) => !edge.test(text));
    if (other === undefined || 2 * more.length + 2 >= lines.length) return undefined;
    return `most lines are those of an edge list, but line ${other.line} does not begin with two ids: ${excerpt(other.text)}. With --format follows, such lines are rejected and the others stored`;
  },
  async *read(bytes) {
    let first: Line[] | undefined = [];
    let usual = 0;
    let hasSizes: boolean | undefined;
    for await (const lines of readLines(bytes)) {
      hasSizes ??= MATRIX.test(lines[0]?.text ?? '');
      let edges = lines.filter(({ text, problem }) => problem !== undefined || !blankOrComment.test(text));
      if (hasSizes && edges.length > 0) {
        if (SIZES.test(edges[0]?.text ?? '')) edges = edges.slice(1);
        hasSizes = false;
      }
      if (first !== undefined) {
        first = [...first, ...edges];
        if (first.length < SEEN_ROWS) continue;
        usual = usualColumns(first);
        edges = first;
        first = undefined;
      }
      yield edges.map((line) => parseEdge(line, usual));
    }
    if (first !== undefined) yield first.map((line) => parseEdge(line, usualColumns(first)));
  },
};

/** The first lines with something in them. */
function firstLines(head: Buffer): readonly Line[] {
  const lines = linesIn(head).filter(({ text }) => !blankOrComment.test(text));
  // The head may end in the middle of a line.
  const whole = lines.length > 1 && lines.at(-1)?.end === undefined ? lines.slice(0, -1) : lines;
  return whole.slice(0, SEEN_ROWS);
}

/** Counts the columns after the two ids of an edge. Attributes as Python prints them, `{'weight': 1}`, are one. */
function countColumns(after = ''): number {
  const rest = after.trim();
  return rest === '' ? 0 : rest.replaceAll(/\{[^{}]*\}/g, '{}').split(/[ \t]*[,;|][ \t]*|[ \t]+/).length;
}

/** The number of columns after the ids that most of the first rows have, the largest of several. */
function usualColumns(lines: readonly Line[]): number {
  const rows = new Map<number, number>();
  for (const { text } of lines.slice(0, SEEN_ROWS)) {
    const columns = countColumns(edge.exec(text)?.[3]);
    rows.set(columns, (rows.get(columns) ?? 0) + 1);
  }
  return [...rows].sort(([a, ofA], [b, ofB]) => ofB - ofA || b - a)[0]?.[0] ?? 0;
}

/** Parses the edge in a line. If a line end is missing, two edges have more than twice as many columns after the ids as is `usual`. */
function parseEdge({ line, text, problem }: Line, usual: number): Parsed {
  const match = problem === undefined ? edge.exec(text) : null;
  if (match === null) return { line, rejected: problem ?? 'not two ids', source: text };
  if (countColumns(match[3]) > Math.max(1, 2 * usual))
    return {
      line,
      rejected: 'more than twice as many columns as other rows: is a line end missing?',
      source: text,
    };
  const follower = parseAccountId(withoutFraction(match[1] ?? ''));
  const followee = parseAccountId(withoutFraction(match[2] ?? ''));
  if (follower === null || followee === null) {
    return { line, rejected: 'ids must be from 0 to 2^63-1, and not rounded by a float', source: text };
  }
  if (follower === followee) return { line, rejected: 'a user cannot follow themselves', source: text };
  return {
    line,
    source: text,
    records: [{ kind: 'follow', follower: { userId: follower }, followee: { userId: followee } }],
  };
}

/** Follows by usernames: `user,follower`. */
export const followersCsv = csvFormat(
  {
    name: 'followers-csv',
    summary: 'CSV of usernames: user,follower',
    columns: {
      required: ['user', 'follower'],
      optional: [],
      foreign: TWEET_COLUMN,
    },
  },
  () => (row) => [readFollow(row)],
);

function readFollow(row: CsvRow): FollowRecord {
  const follower = usernameIn(row, 'follower');
  const followee = usernameIn(row, 'user');
  if (follower.toLowerCase() === followee.toLowerCase())
    throw new RowError('a user cannot follow themselves');
  return { kind: 'follow', follower: { username: follower }, followee: { username: followee } };
}

function usernameIn(row: CsvRow, column: string): string {
  const username = optionalUsername(row.get(column));
  if (username === undefined) throw new RowError(`no ${column}`);
  return username;
}
