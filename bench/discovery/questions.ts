import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { DIARISTS, diaristId } from '../tweets/generate';
import { drawCityArea } from '../tweets/places';
import { unspacedWordAt } from '../tweets/unspaced';
import { drawHashtag, drawLonelyPair, drawRank, hashtagAt, rankAmong, wordAt } from '../tweets/vocabulary';

const DAY = 86_400_000;

/** A query with random variables. */
export interface Question {
  readonly name: string;
  readonly source: string;
  /** The rows of the single partition with which it is compared. */
  readonly rows: 25 | 100;
  /** Draws the variables; `end` is the moment of the last tweet. */
  variables(random: () => number, end: Date): Readonly<Record<string, unknown>>;
}

/** The fields of each tweet. */
export const FIELDS = 'id content createdAt language hashtags';
const tweets = `nodes { ${FIELDS} }`;

const search = (order: string) =>
  `query ($words: [String!]!) { searchTweets(words: $words, order: ${order}, first: 25) { ${tweets} } }`;
const area = `query ($area: AreaInput!, $from: DateTime!, $to: DateTime!) { tweetsInArea(area: $area, from: $from, to: $to, first: 25) { ${tweets} } }`;
const heatmap =
  'query ($area: AreaInput!, $from: DateTime!, $to: DateTime!) { tweetHeatmap(area: $area, from: $from, to: $to, precision: 5) { geohash latitude longitude count } }';
const frequency =
  'query ($from: DateTime!, $to: DateTime!) { tweetFrequency(from: $from, to: $to, unit: HOUR) { at language count } }';
const ranking = 'takenAt entries { rank score user { userId username name } }';
const hashtag = (order: string) =>
  `query ($name: String!) { hashtag(name: $name) { tweets(order: ${order}, first: 25) { ${tweets} } } }`;

const NEWEST = search('NEWEST');
const MOST_LIKED = search('MOST_LIKED');

/** Different words whose ranks are within the bounds, one for each; the bounds [1, 1] give the most common word. */
function pair(random: () => number, ...bounds: readonly (readonly [from: number, to: number])[]) {
  const words = new Set<string>();
  for (const [from, to] of bounds) {
    const before = words.size;
    while (words.size === before) words.add(wordAt(rankAmong(from, to, random)));
  }
  return { words: [...words] };
}

const frequent = (random: () => number) => pair(random, [5, 50], [5, 50]);
const middling = (random: () => number) => pair(random, [100, 1000], [100, 1000]);
const withCommonest = (random: () => number) => pair(random, [1, 1], [20, 200]);
/** Of 50,000 tweets, five have the rare word. */
const rareAndCommon = (random: () => number) => pair(random, [1, 10], [5000, 10_000]);
/** Hardly any tweet has all of them, so a search reads as much as it may. */
const eight = (random: () => number) => pair(random, ...Array.from({ length: 8 }, () => [1, 50] as const));
const neverTogether = (random: () => number) => ({ words: drawLonelyPair(random) });
const natural = (random: () => number) => {
  const words = new Set<string>();
  while (words.size < 2) words.add(wordAt(drawRank(random)));
  return { words: [...words] };
};
const cityOf = (days: number) => (random: () => number, end: Date) => ({
  area: drawCityArea(random),
  from: new Date(Number(end) - days * DAY),
  to: end,
});
const dayOf = (random: () => number, end: Date) => {
  const from = new Date(Math.floor(Number(end) / DAY - 2 - random() * 300) * DAY);
  return { from, to: new Date(Number(from) + DAY) };
};
const tag = (random: () => number) => ({ name: hashtagAt(drawHashtag(random)) });
const frequentTag = (random: () => number) => ({ name: hashtagAt(rankAmong(1, 10, random)) });
const diarist = (random: () => number) => ({
  id: encodeNodeId('User', diaristId(Math.floor(random() * DIARISTS))),
});

const diaryOf = (rows: 25 | 100, fields = FIELDS) =>
  `query ($id: ID!) { node(id: $id) { ... on User { tweets(first: ${rows}) { nodes { ${fields} } } } } }`;

/** The list of one partition with which the others are compared. */
export const partitionOf = (rows: 25 | 100): Question => ({
  name: `tweets of an author, ${rows}`,
  source: diaryOf(rows),
  rows,
  variables: diarist,
});

const of25 = { rows: 25 } as const;
const of100 = { rows: 100 } as const;

/** The questions that are asked of databases of different sizes. If the times are the same, so is the work. */
export const growing: readonly Question[] = [
  { ...of25, name: 'two frequent words, newest', source: NEWEST, variables: frequent },
  { ...of25, name: 'two frequent words, most liked', source: MOST_LIKED, variables: frequent },
  { ...of25, name: 'two middling words, newest', source: NEWEST, variables: middling },
  { ...of25, name: 'two middling words, most liked', source: MOST_LIKED, variables: middling },
  { ...of25, name: 'one with the commonest, newest', source: NEWEST, variables: withCommonest },
  { ...of25, name: 'one with the commonest, most liked', source: MOST_LIKED, variables: withCommonest },
  { ...of25, name: 'one rare and one common, newest', source: NEWEST, variables: rareAndCommon },
  { ...of25, name: 'one rare and one common, most liked', source: MOST_LIKED, variables: rareAndCommon },
  { ...of25, name: 'eight words, newest', source: NEWEST, variables: eight },
  { ...of25, name: 'eight words, most liked', source: MOST_LIKED, variables: eight },
  { ...of25, name: 'nothing found, newest', source: NEWEST, variables: neverTogether },
  { ...of25, name: 'nothing found, most liked', source: MOST_LIKED, variables: neverTogether },
  { ...of25, name: 'a city, last month', source: area, variables: cityOf(30) },
  { ...of25, name: 'a city, last year', source: area, variables: cityOf(365) },
  {
    ...of100,
    name: 'top accounts',
    source: `{ topAccounts(first: 100) { ${ranking} } }`,
    variables: () => ({}),
  },
  { ...of25, name: 'a frequent hashtag, newest', source: hashtag('NEWEST'), variables: frequentTag },
  { ...of25, name: 'a frequent hashtag, most liked', source: hashtag('MOST_LIKED'), variables: frequentTag },
  {
    ...of25,
    name: 'trending hashtags of a day',
    source: '{ trendingHashtags(window: DAY, first: 10) { count hashtag { name } } }',
    variables: () => ({}),
  },
  { ...of100, name: 'frequency of a day by hour', source: frequency, variables: dayOf },
  { ...of100, name: 'heatmap of a city, last month', source: heatmap, variables: cityOf(30) },
];

/** At least one question for each field; several if words, orders or periods make a difference. */
export const discovering: readonly Question[] = [
  ...growing,
  { ...of25, name: 'two random words, newest', source: NEWEST, variables: natural },
  { ...of25, name: 'two random words, most liked', source: MOST_LIKED, variables: natural },
  { ...of25, name: 'a random hashtag, newest', source: hashtag('NEWEST'), variables: tag },
  {
    ...of25,
    name: 'trending hashtags of a week',
    source: '{ trendingHashtags(window: WEEK, first: 10) { count hashtag { name } } }',
    variables: () => ({}),
  },
  {
    ...of100,
    name: 'top followers',
    source: `{ topFollowers(first: 100) { ${ranking} } }`,
    variables: () => ({}),
  },
  {
    ...of100,
    name: 'the rankings of a day',
    source: `query ($from: DateTime!, $to: DateTime!) { rankings(kind: TOP_ACCOUNTS, from: $from, to: $to, first: 1) { nodes { ${ranking} } } }`,
    variables: () => ({ from: new Date(Date.now() - DAY), to: new Date(Date.now() + DAY) }),
  },
  { ...of25, name: 'raw of 25 tweets', source: diaryOf(25, 'id raw'), variables: diarist },
];

/** A word of a script without spaces, whose rank is within bounds and for which `isWanted` holds. */
const unspacedWord =
  (from: number, to: number, isWanted: (word: string) => boolean) => (random: () => number) => {
    for (;;) {
      const word = unspacedWordAt(rankAmong(from, to, random));
      if (isWanted(word)) return { words: [word] };
    }
  };
const ofLength = (length: number) => (word: string) => Array.from(word).length === length;
/** The letters of a common word in another order, as pairs that many tweets have, but hardly any together. */
const scrambled = (random: () => number) => {
  const [word = ''] = unspacedWord(1, 50, ofLength(5))(random).words;
  return { words: [word.slice(2) + word.slice(0, 2)] };
};
const letter = (random: () => number) => ({
  words: [unspacedWordAt(5 * rankAmong(1, 100, random)).slice(0, 1)],
});

/** Questions for words of scripts without spaces. */
export const unspaced: readonly Question[] = (['NEWEST', 'MOST_LIKED'] as const).flatMap((order) => {
  const shown = { NEWEST: 'newest', MOST_LIKED: 'most liked' }[order];
  const asked = { ...of25, source: search(order) };
  return [
    { ...asked, name: `one letter, ${shown}`, variables: letter },
    {
      ...asked,
      name: `a frequent word of two letters, ${shown}`,
      variables: unspacedWord(5, 50, ofLength(2)),
    },
    {
      ...asked,
      name: `a frequent word of five letters, ${shown}`,
      variables: unspacedWord(5, 50, ofLength(5)),
    },
    {
      ...asked,
      name: `a rarer word of two letters, ${shown}`,
      variables: unspacedWord(100, 1000, ofLength(2)),
    },
    {
      ...asked,
      name: `a rarer word of six letters, ${shown}`,
      variables: unspacedWord(100, 1000, ofLength(6)),
    },
    { ...asked, name: `letters of a word, in another order, ${shown}`, variables: scrambled },
  ];
});

/** The body of a GraphQL request. */
export function bodyOf(
  { source }: { readonly source: string },
  variables: Readonly<Record<string, unknown>>,
): string {
  return JSON.stringify({ query: source, variables });
}

/** How many rows an answer has: the objects of its innermost lists, which are tweets, entries, points or cells. */
export function rowsIn(answer: unknown): number {
  if (typeof answer !== 'object' || answer === null) return 0;
  const inner = Object.values(answer).reduce<number>((sum, value) => sum + rowsIn(value), 0);
  if (inner > 0 || !Array.isArray(answer)) return inner;
  return answer.filter((item) => typeof item === 'object').length;
}
