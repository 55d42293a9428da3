import { parseAccountId } from '../records/id';
import { readLines, type Line } from '../records/lines';
import type { Format, Parsed } from '../records/record';

/** Two ids and optionally a weight, which is ignored. */
const edge = /^[ \t]*(\d+)[ \t]+(\d+)(?:[ \t]+[-+.\deE]+)?[ \t\r]*$/;
const blankOrComment = /^[ \t\r]*(?:#.*)?$/s;

/** An edge list in SNAP's format, with `A B` or `A B weight` on each line: A follows B. */
export const follows: Format = {
  name: 'follows',
  summary: 'edge list, "A B [weight]": A follows B (numeric ids, # comments)',
  detect(head) {
    const lines = head.split('\n').filter((line) => !blankOrComment.test(line));
    // The head may end in the middle of a line.
    const whole = lines.length > 1 && !head.endsWith('\n') ? lines.slice(0, -1) : lines;
    return whole.length > 0 && whole.slice(0, 100).every((line) => edge.test(line));
  },
  async *read(chunks) {
    for await (const lines of readLines(chunks)) {
      const rows: Parsed[] = [];
      for (const line of lines) {
        if (!blankOrComment.test(line.text)) rows.push(parseEdge(line));
      }
      yield rows;
    }
  },
};

function parseEdge({ line, text, problem }: Line): Parsed {
  const match = edge.exec(text);
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
