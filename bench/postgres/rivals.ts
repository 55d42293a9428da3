import { encodeNodeId, idIn } from '../../src/kit/graphql/global-id';
import { growing, FIELDS, type Question } from '../discovery/questions';
import { peopleOf, personId } from '../tweets/generate';

type Values = Readonly<Record<string, unknown>>;

/** A question to our server, and the same question to PostGraphile. */
export interface Rival {
  readonly ours: Question;
  /** The name in the results; one question of ours may be compared with two of theirs. */
  readonly name: string;
  readonly source: string;
  /** Turns our variables into theirs. */
  variables(ours: Values): Values;
  /** Extracts what both must agree on from the nodes of an answer; null if they are not meant to agree. */
  readonly agree: ((nodes: readonly Values[]) => readonly unknown[]) | null;
}

const tweets = 'nodes { rowId content createdAt language hashtags }';
const ids = (nodes: readonly Values[]) =>
  nodes.map(({ id, rowId }) => (typeof id === 'string' ? idIn('Tweet', id) : rowId));
const byWords = ({ words }: Values) => ({ words: (words as string[]).join(' ') });
const byArea = ({ area, from, to }: Values) => ({ ...(area as Values), from, to });
const counts = (nodes: readonly Values[]) =>
  nodes
    .map(({ count }) => Number(count))
    .filter((count) => count > 0)
    .sort((a, b) => a - b);
const usernames = (nodes: readonly Values[]) =>
  nodes.map(({ username, user }) => username ?? (user as Values)['username']);

const box = '$south: Float!, $west: Float!, $north: Float!, $east: Float!, $from: Datetime!, $to: Datetime!';
const within = 'south: $south, west: $west, north: $north, east: $east, fromTime: $from, toTime: $to';
const search = (field: string) =>
  `query ($words: String!) { ${field}(words: $words, first: 25) { ${tweets} } }`;
const area = `query (${box}) { tweetsInArea(${within}, first: 25) { ${tweets} } }`;
const hashtag = (field: string) =>
  `query ($name: String!) { ${field}(name: $name, first: 25) { ${tweets} } }`;
const accounts = (field: string) => `{ ${field} { nodes { score rowId username name } } }`;
const asIs = (values: Values) => values;

function ours(name: string): Question {
  const question = growing.find((other) => other.name === name);
  if (question === undefined) throw new Error(`There must be a question "${name}".`);
  return question;
}

const found = { variables: byWords, agree: ids };
const lastDay = () => ({ since: new Date(Date.now() - 86_400_000) });

const discovering = [
  ['two frequent words, newest', search('searchNewest'), found],
  ['two frequent words, most liked', search('searchMostLiked'), found],
  ['two middling words, newest', search('searchNewest'), found],
  ['two middling words, most liked', search('searchMostLiked'), found],
  ['one with the commonest, newest', search('searchNewest'), found],
  ['one with the commonest, most liked', search('searchMostLiked'), found],
  ['one rare and one common, newest', search('searchNewest'), found],
  ['one rare and one common, most liked', search('searchMostLiked'), found],
  ['eight words, newest', search('searchNewest'), found],
  ['eight words, most liked', search('searchMostLiked'), found],
  ['nothing found, newest', search('searchNewest'), found],
  ['nothing found, most liked', search('searchMostLiked'), found],
  ['a city, last month', area, { variables: byArea, agree: ids }],
  ['a city, last year', area, { variables: byArea, agree: ids }],
  ['a frequent hashtag, newest', hashtag('tweetsOfHashtag'), { variables: asIs, agree: ids }],
  ['a frequent hashtag, most liked', hashtag('mostLikedOfHashtag'), { variables: asIs, agree: ids }],
  [
    'trending hashtags of a day',
    'query ($since: Datetime!) { trendingHashtags(since: $since) { nodes { count name } } }',
    { variables: lastDay, agree: null },
  ],
  [
    'frequency of a day by hour',
    'query ($from: Datetime!, $to: Datetime!) { tweetFrequency(fromTime: $from, toTime: $to) { nodes { at language count } } }',
    { variables: asIs, agree: counts },
  ],
  [
    'heatmap of a city, last month',
    `query (${box}) { tweetHeatmap(${within}) { nodes { latitude longitude count } } }`,
    { variables: byArea, agree: counts },
  ],
] as const;

/** The questions to both sides, for a database with `size` tweets. */
export function rivalsOf(size: number): readonly Rival[] {
  const person = (random: () => number) => ({ id: personId(Math.floor(random() ** 1.5 * peopleOf(size))) });
  const ofPerson = { rows: 25, variables: person } as const;
  return [
    ...discovering.map(([name, source, how]) => ({ ours: ours(name), name, source, ...how })),
    {
      ours: ours('top accounts'),
      name: 'top accounts, theirs materialized',
      source: accounts('keptAccounts'),
      variables: asIs,
      agree: usernames,
    },
    {
      ours: ours('top accounts'),
      name: 'top accounts, theirs counted',
      source: accounts('topAccounts'),
      variables: asIs,
      agree: usernames,
    },
    {
      ours: { ...ofPerson, name: 'tweets of an author', source: ofUser('tweets') },
      name: 'tweets of an author',
      source: `query ($id: BigInt!) { userByRowId(rowId: $id) { tweetsByAuthorId(first: 25, orderBy: ROW_ID_DESC) { ${tweets} } } }`,
      variables: asIs,
      agree: ids,
    },
    {
      ours: { ...ofPerson, name: 'home timeline', source: ofUser('timeline') },
      name: 'home timeline',
      source: `query ($id: BigInt!) { homeTimeline(reader: $id, first: 25) { ${tweets} } }`,
      variables: asIs,
      agree: ids,
    },
  ];
}

function ofUser(list: string): string {
  return `query ($id: ID!) { node(id: $id) { ... on User { ${list}(first: 25) { nodes { ${FIELDS} } } } } }`;
}

/** The variables for our server, where people have global ids. */
export function ourVariables(values: Values): Values {
  const { id } = values;
  return typeof id === 'string' ? { ...values, id: encodeNodeId('User', id) } : values;
}
