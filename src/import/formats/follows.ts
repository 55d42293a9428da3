import { parseAccountId } from '../records/id';
import { linesIn, readLines, type Line } from '../records/lines';
import type { Format, Parsed, FollowRecord } from '../records/record';
import { csvFormat, type CsvRow } from '../records/csv';
import { TWEET_COLUMN } from './tweet-column';
import { optionalUsername, RowError } from '../records/row';

const pair = String.raw`[ \t]*"?(\d+)(?:\.0*)?"?(?:[ \t]+(?:[,;|][ \t]*)?|[,;|][ \t]*)"?(\d+)(?:\.0*)?"?`;
/** Two ids, which data frames write as `12.0` and some exports in quotes. What follows, such as a weight or a time, is ignored. */
const edge = new RegExp(String.raw`^${pair}(?:[ \t,;|].*)?$`, 's');
/** SNAP writes comments with #, Konect and Matrix Market with %. */
const blankOrComment = /^[ \t]*(?:[#%].*)?$/s;

/** An edge list, with `A B` and any more columns on each line: A follows B. */
export const follows: Format = {
  name: 'follows',
  summary: 'edge list, "A B …": A follows B (numeric ids; spaces, tabs or commas; # and % comments)',
  // Any CSV with a header has a line that does not begin with two ids.
  detect(head) {
    const lines = linesIn(head).filter(({ text }) => !blankOrComment.test(text));
    // The head may end in the middle of a line.
    const whole = lines.length > 1 && lines.at(-1)?.end === undefined ? lines.slice(0, -1) : lines;
    return whole.length > 0 && whole.slice(0, 100).every(({ text }) => edge.test(text));
  },
  async *read(bytes) {
    for await (const lines of readLines(bytes)) {
      const rows: Parsed[] = [];
      for (const line of lines) {
        if (line.problem !== undefined || !blankOrComment.test(line.text)) rows.push(parseEdge(line));
      }
      yield rows;
    }
  },
};

function parseEdge({ line, text, problem }: Line): Parsed {
  const match = problem === undefined ? edge.exec(text) : null;
  if (match === null) return { line, rejected: problem ?? 'not two ids', source: text };
  const follower = parseAccountId(match[1] ?? '');
  const followee = parseAccountId(match[2] ?? '');
  if (follower === null || followee === null) {
    return { line, rejected: 'ids must be from 0 to 2^63-1', source: text };
  }
  if (follower === followee) return { line, rejected: 'a user cannot follow themselves', source: text };
  return {
    line,
    records: [{ kind: 'follow', follower: { userId: follower }, followee: { userId: followee } }],
  };
}

/** Who follows whom by usernames: `user,follower`. */
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
