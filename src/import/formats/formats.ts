import { flatCsv } from './flat-csv';
import { followersCsv } from './followers-csv';
import { follows } from './follows';
import { tweetsCsv } from './tweets-csv';
import { tweetsGeo } from './tweets-geo';
import { twitter } from './twitter';
import { usersCsv } from './users-csv';
import type { Format } from '../records/record';

/** Every format that can be imported. No file matches two of them. */
export const formats: readonly Format[] = [
  follows,
  usersCsv,
  followersCsv,
  tweetsCsv,
  tweetsGeo,
  twitter,
  flatCsv,
];

/** The format of a file that begins with `head` (decoded text; 64 KiB are enough), or null if it has none of them. */
export function detectFormat(head: string): Format | null {
  return formats.find((format) => format.detect(head)) ?? null;
}

/** The format that `--format` selects by `name`, or null if there is none. */
export function formatNamed(name: string): Format | null {
  return formats.find((format) => format.name === name) ?? null;
}
