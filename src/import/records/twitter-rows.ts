import { objectAt, parseObject } from './json';
import { memberSource } from './json-member';
import { loadLanguageOf, type LanguageOf } from '../../tweet/language';
import type { Line } from './lines';
import type { ImportRecord, Parsed } from './record';
import { parsedRow, RowError } from './row';
import { recordsOfTweetObject } from './twitter-object';

/** Twitter nests a quoted tweet in a shared one, and nothing deeper. */
const MAX_DEPTH = 2;

/** Reads tweet objects of Twitter's API v1.1, one from each line or from each element of an array. */
export async function* readTweetObjects(
  lines: AsyncIterable<readonly Line[]>,
): AsyncGenerator<readonly Parsed[]> {
  const languageOf = await loadLanguageOf();
  for await (const batch of lines) yield batch.flatMap((line) => rowsOf(line, languageOf));
}

/**
 * One row with all the records of a tweet object, embedded tweets first. An embedded tweet that is malformed is
 * rejected by itself and does not affect the others.
 */
function rowsOf({ line, text, problem }: Line, languageOf: LanguageOf): Parsed[] {
  if (problem !== undefined) return [{ line, rejected: problem, source: text }];
  if (text.trim() === '') return [];

  const records: ImportRecord[] = [];
  const rejects: Parsed[] = [];
  const visit = (source: string, depth: number): void => {
    const parsed = parsedRow(line, source, () => {
      const tweet = parseObject(source);
      if (tweet === null) throw new RowError('no JSON object');
      const name = objectAt(tweet, 'retweeted_status') === undefined ? 'quoted_status' : 'retweeted_status';
      if (depth < MAX_DEPTH && objectAt(tweet, name) !== undefined) {
        const embedded = memberSource(source, name);
        if (embedded !== undefined) visit(embedded, depth + 1);
      }
      return recordsOfTweetObject(tweet, source, languageOf);
    });
    if ('records' in parsed) records.push(...parsed.records);
    else rejects.push(parsed);
  };
  visit(text.trim(), 0);
  return records.length > 0 ? [{ line, records }, ...rejects] : rejects;
}
