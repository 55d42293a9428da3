import { type Random, randomFrom } from '../../src/kit/base/random';
import { snowflakeAt } from '../../src/kit/base/snowflake';
import type { ImportRecord, TweetRecord } from '../../src/import/records/record';
import { findHashtags } from '../../src/write/tweet/text';
import { chance, pickOne, randomFor } from '../crash/random';
import { Differences } from '../crash/differences';
import { type Ask, compare, type Examined, describeErrors } from './ask';
import { foldedHashtag, mayBeCut } from '../../src/features/search/terms';

const HOUR = 3_600_000;

const windows = { HOUR, DAY: 24 * HOUR, WEEK: 168 * HOUR };

type Name = keyof typeof windows;

const lengths = Object.values(windows);

const AUTHORS = 40;

const tags = Array.from({ length: 150 }, (_, n) => `${n % 3 === 0 ? 'Trend' : 'trend'}${n}ß`);

/**
 * Generates tweets of the last days with hashtags; some of them are shares. None is so close to a boundary of a window that
 * it could cross it during the test.
 */
export function recentTweets(count: number, now = Date.now(), seed = 5): readonly TweetRecord[] {
  const random = randomFrom(seed);
  const made: TweetRecord[] = [];
  while (made.length < count) {
    const age = (pickOne(random, lengths) ?? HOUR) * random() * 1.1;
    if (lengths.some((length) => isNearEdge(age, length))) continue;
    const createdAt = new Date(now - age);
    const shared = chance(random, 0.1) ? pickOne(random, made) : null;
    const content = `#${tagOf(random)} #${tagOf(random)}`;
    made.push({
      kind: 'tweet',
      tweetId: snowflakeAt(createdAt, BigInt(made.length)) ?? '',
      author: { userId: String(1_000_000 + Math.floor(random() * AUTHORS)) },
      content,
      createdAt,
      language: 'und',
      hashtags: findHashtags(content),
      mentions: [],
      ...(shared && { sharedTweetId: shared.sharedTweetId ?? shared.tweetId }),
      raw: '{}',
    });
  }
  return made;
}

function tagOf(random: Random): string {
  return tags[Math.floor(random() ** 3 * tags.length)] ?? '';
}

/** Whether something of this age is close to the boundary of a quarter of a window. */
function isNearEdge(age: number, length: number): boolean {
  const quarters = (4 * age) / length;
  return age < 1.2 * length && Math.abs(quarters - Math.round(quarters)) < 0.25;
}

/** Asks for trending hashtags `count` times, and compares the answers with counts of all records. */
export async function* examineTrends(
  ask: Ask,
  records: readonly ImportRecord[],
  { seed, count, only = '' }: { readonly seed: number; readonly count: number; readonly only?: string },
): AsyncIterable<Examined> {
  const field = 'trendingHashtags';
  if (!field.includes(only)) return;
  const differences = new Differences();
  let items = 0;
  for (let n = 0; n < count; n++) {
    const random = randomFor(seed, field, n);
    const window = pickOne(random, Object.keys(windows) as Name[]) ?? 'DAY';
    const first = 1 + Math.floor(random() * 100);
    const { data, errors } = await ask(
      `{ ${field}(window: ${window}, first: ${first}) { count hashtag { name } } }`,
      {},
    );
    const { [field]: trends = [] } = (data ?? {}) as {
      [field]?: readonly { count: number; hashtag: { name: string } }[];
    };
    const found = trends.map(({ hashtag: { name }, count: authors }) => `${foldedHashtag(name)} ${authors}`);
    const expected = trendsIn(records, windows[window]).slice(0, first);
    compare(differences, `${field} ${window} ${first}`, [...found, ...describeErrors(errors)], expected);
    items += expected.length;
  }
  yield { field, asked: count, items, refused: 0, differences };
}

/**
 * The hashtags with their numbers of authors, ordered by score. The last use by each author counts 1, ½, ¼ or ⅛, depending
 * on the quarter of the window in which it is.
 */
function trendsIn(records: readonly ImportRecord[], length: number): string[] {
  const now = Date.now();
  const ages = new Map<string, Map<string, number>>();
  for (const record of records) {
    if (record.kind !== 'tweet' || record.sharedTweetId !== undefined) continue;
    const age = now - Number(record.createdAt);
    if (age >= length) continue;
    for (const tag of record.hashtags.map(foldedHashtag)) {
      if (mayBeCut(tag)) continue;
      const authors = ages.get(tag) ?? new Map<string, number>();
      ages.set(tag, authors);
      const author = record.author.userId ?? '';
      authors.set(author, Math.min(age, authors.get(author) ?? age));
    }
  }
  const weights = [1, 1 / 2, 1 / 4, 1 / 8];
  const scored = [...ages].map(([name, authors]) => {
    const score = [...authors.values()].reduce(
      (sum, age) => sum + (weights[Math.floor(age / (length / 4))] ?? 0),
      0,
    );
    return { name, score, line: `${name} ${authors.size}` };
  });
  scored.sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
  return scored.map(({ line }) => line);
}
