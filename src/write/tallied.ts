import type { StoredRow } from '../kit/cassandra/table';
import { minuteOfTally } from '../features/frequency/minute-tally';

/** The types of the ids in the columns of tallies, by their lists. */
const TALLIED: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  tweets: { owner: ['User'], member: ['Tweet'] },
  followers: { owner: ['User'], member: ['User'] },
  following: { owner: ['User'], member: ['User'] },
  replies: { owner: ['Tweet'], member: ['Tweet'] },
  quotes: { owner: ['Tweet'], member: ['Tweet'] },
  shares: { owner: ['Tweet'], member: ['User'], item: ['Tweet'] },
  likes: { owner: ['Tweet'], member: ['User'] },
  comments: { owner: ['Article'], member: ['Comment'] },
};

/**
 * Whether a column of a row of `tallies` has the id of an object of a type. Imported tweets may have the ids of users, so only the list
 * can tell. The lists of a minute are languages, and their members tweets. Throws for a list of a user, a tweet or an article that is not
 * declared here.
 */
export function isAbout(row: StoredRow, column: string, type: string): boolean {
  if (minuteOfTally(String(row['owner'])) !== null) return column === 'member' && type === 'Tweet';
  const list = TALLIED[String(row['list'])];
  if (list === undefined)
    throw new Error(`The list ${String(row['list'])} of tallies must say what it is about, in tallied.ts.`);
  return list[column]?.includes(type) ?? false;
}
