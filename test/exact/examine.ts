import type { Random } from '../../src/kit/base/random';
import { Differences } from '../crash/differences';
import { randomFor } from '../crash/random';
import { compare, describeErrors, type Ask, type Examined } from './ask';
import type { Known } from './known';
import type { Area } from '../support/areas';
import { Oracle, rawOf, type Order, type Point, type Window } from './oracle';
import { Questions } from './questions';

interface Examination {
  readonly ask: Ask;
  readonly oracle: Oracle;
  readonly questions: Questions;
  readonly random: Random;
  readonly differences: Differences;
}

/** Asks one question of a field. Resolves to the number of items in the answer, or `refused` if it was refused as it should be. */
type Examiner = (examination: Examination, question: number) => Promise<number | 'refused'>;

const page = 'nodes { tweetId } pageInfo { hasNextPage endCursor }';
const period = '$from: DateTime!, $to: DateTime!';
const sources = {
  search: `query ($words: [String!]!, $order: TweetOrder!, $first: Int, $after: String) { list: searchTweets(words: $words, order: $order, first: $first, after: $after) { ${page} } }`,
  hashtag: `query ($name: String!, $order: TweetOrder!, $first: Int, $after: String) { owner: hashtag(name: $name) { list: tweets(order: $order, first: $first, after: $after) { ${page} } } }`,
  area: `query ($area: AreaInput!, ${period}, $first: Int, $after: String) { list: tweetsInArea(area: $area, from: $from, to: $to, first: $first, after: $after) { ${page} } }`,
  frequency: `query (${period}, $unit: FrequencyUnit!, $language: String, $byLanguage: Boolean!) { tweetFrequency(from: $from, to: $to, unit: $unit, language: $language, byLanguage: $byLanguage) { at language count } }`,
  heatmap: `query ($area: AreaInput!, ${period}, $precision: Int) { tweetHeatmap(area: $area, from: $from, to: $to, precision: $precision) { geohash latitude longitude count } }`,
  raw: 'query ($tweetId: String!) { tweet(tweetId: $tweetId) { raw } }',
};

const examiners: Readonly<Record<string, Examiner>> = {
  'searchTweets, newest': (examination) => examineSearch(examination, 'NEWEST'),
  'searchTweets, most liked': (examination) => examineSearch(examination, 'MOST_LIKED'),
  'Hashtag.tweets, newest': (examination) => examineHashtag(examination, 'NEWEST'),
  'Hashtag.tweets, most liked': (examination) => examineHashtag(examination, 'MOST_LIKED'),
  tweetFrequency: examineFrequency,
  tweetsInArea: examineArea,
  tweetHeatmap: examineHeatmap,
  'Tweet.raw': examineRaw,
};

/**
 * Asks random questions, `count` for each field whose name contains `only`, and compares the answers with those found by
 * going through all tweets in memory.
 */
export async function* examine(
  ask: Ask,
  tweets: readonly Known[],
  { seed, count, only = '' }: { readonly seed: number; readonly count: number; readonly only?: string },
): AsyncIterable<Examined> {
  const oracle = new Oracle(tweets);
  const questions = new Questions(tweets);
  for (const [field, examiner] of Object.entries(examiners).filter(([name]) => name.includes(only))) {
    const differences = new Differences();
    let [items, refused] = [0, 0];
    for (let n = 0; n < count; n++) {
      const random = randomFor(seed, field, n);
      const found = await examiner({ ask, oracle, questions, random, differences }, n);
      if (found === 'refused') refused++;
      else items += found;
    }
    yield { field, asked: count, items, refused, differences };
  }
}

async function examineSearch({ ask, oracle, questions, random, differences }: Examination, order: Order) {
  const { words, size } = questions.words(random);
  const expected = oracle.search(words, order);
  const found = await join(ask, sources.search, { words, order }, sizeFor(size, expected));
  compare(differences, `searchTweets ${JSON.stringify({ words, order, size })}`, found, expected);
  return expected.length;
}

async function examineHashtag({ ask, oracle, questions, random, differences }: Examination, order: Order) {
  const { name, size } = questions.hashtag(random);
  const expected = oracle.hashtag(name, order);
  const found = await join(ask, sources.hashtag, { name, order }, sizeFor(size, expected ?? []));
  compare(differences, `hashtag ${JSON.stringify({ name, order, size })}`, found, expected);
  return expected?.length ?? 0;
}

async function examineArea({ ask, oracle, questions, random, differences }: Examination) {
  const { area, size, ...window } = questions.area(random);
  const expected = oracle.area(area, window);
  const asked = { area, ...told(window) };
  const found = await join(ask, sources.area, asked, sizeFor(size, expected));
  compare(differences, `tweetsInArea ${JSON.stringify({ ...asked, size })}`, found, expected);
  return expected.length;
}

async function examineFrequency({ ask, oracle, questions, random, differences }: Examination) {
  const question = questions.frequency(random);
  const expected = oracle.frequency(question);
  const asked = { ...question, ...told(question) };
  const { data, errors } = await ask(sources.frequency, asked);
  const what = `tweetFrequency ${JSON.stringify(asked)}`;
  if (expected === null) {
    differences.same(
      what,
      errors.map(({ extensions }) => extensions.code),
      ['BAD_USER_INPUT'],
    );
    return 'refused';
  }
  const points = (data as { tweetFrequency: Point[] } | null)?.tweetFrequency;
  compare(
    differences,
    what,
    points?.map(describePoint) ?? describeErrors(errors),
    expected.map(describePoint),
  );
  return expected.length;
}

async function examineHeatmap({ ask, oracle, questions, random, differences }: Examination) {
  const { area, precision, ...window } = questions.heatmap(random);
  const asked = { area, ...told(window), precision };
  const what = `tweetHeatmap ${JSON.stringify(asked)}`;
  const first = await askHeatmap(ask, asked);
  // If the precision is too fine for the box, the precision in the error message must work.
  const fitting = /precision must be at most (\d)/.exec(first.error ?? '')?.[1];
  const answer =
    fitting === undefined ? first : await askHeatmap(ask, { ...asked, precision: Number(fitting) });
  const used = fitting ?? precision ?? answer.cells[0]?.geohash.length ?? 1;
  const cells = answer.cells.map(
    ({ geohash, latitude, longitude, count }) => `${geohash} ${latitude} ${longitude} ${count}`,
  );
  const expected = oracle.heatmap(area, window, Number(used));
  compare(differences, what, answer.error === null ? [...cells].sort() : [answer.error], expected);
  return expected.length;
}

async function examineRaw({ ask, questions, random, differences }: Examination) {
  const tweet = questions.tweet(random);
  const { data, errors } = await ask(sources.raw, { tweetId: tweet?.tweetId });
  const raw = (data as { tweet: { raw: unknown } | null } | null)?.tweet?.raw;
  differences.same(`raw of ${tweet?.tweetId ?? ''}`, [raw, ...errors], [rawOf(tweet?.raw ?? 'null')]);
  return 1;
}

interface Cell {
  readonly geohash: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly count: number;
}

async function askHeatmap(ask: Ask, asked: { readonly area: Area; readonly precision: number | null }) {
  const { data, errors } = await ask(sources.heatmap, { ...asked });
  const cells = (data as { tweetHeatmap: Cell[] } | null)?.tweetHeatmap ?? [];
  return { cells, error: errors[0]?.message ?? null };
}

function told({ from, to }: Window) {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}

function describePoint({ at, language, count }: Point): string {
  return `${at} ${language} ${count}`;
}

/** The page size for a list: `size`, or 100 if the list is long. */
function sizeFor(size: number, { length }: readonly string[]): number {
  return length > size * 20 ? 100 : size;
}

interface Listed {
  readonly nodes: readonly { readonly tweetId: string }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** The ids of all pages of a list, joined; null if its owner is null. An error becomes a line of the result. */
async function join(
  ask: Ask,
  source: string,
  asked: Readonly<Record<string, unknown>>,
  first: number,
): Promise<string[] | null> {
  const ids: string[] = [];
  for (let after: string | null = null; ;) {
    const { data, errors } = await ask(source, { ...asked, first, after });
    if (errors.length > 0) return [...ids, ...describeErrors(errors)];
    const { list, owner } = data as { list?: Listed; owner?: { list: Listed } | null };
    if (owner === null) return null;
    const { nodes = [], pageInfo } = list ?? owner?.list ?? {};
    ids.push(...nodes.map(({ tweetId }) => tweetId));
    if (nodes.length > first) ids.push(`a page of ${nodes.length}, but ${first} were requested`);
    if (!pageInfo?.hasNextPage) return ids;
    if (pageInfo.endCursor === after) return [...ids, 'the cursor does not advance'];
    after = pageInfo.endCursor;
  }
}
