import { graphql } from './send';
import { aliases, attack, dearest, flood, type Attack, type Target } from './target';

const DAY = 86_400_000;
const MINUTES = 9000;
const WORLD = 'south: -90, west: -180, north: 90, east: 180';

const frequency = 'tweetFrequency(from: $f, to: $t, unit: MINUTE, language: "en") { at language count }';
const period = '($f: DateTime!, $t: DateTime!)';
const days = ({ end }: Target, count: number) =>
  `from: "${new Date(Number(end) - count * DAY).toISOString()}", to: "${end.toISOString()}"`;
const tweetFields = 'nodes { id content raw author { name followerCount } likeCount }';
const timelineOf = (personId: string, order: string, first: number) =>
  `node(id: "${personId}") { ... on User { timeline(first: ${first}, order: ${order}) { ${tweetFields} } } }`;

/** A field nested in itself `depth` times, with the fields `inside` at the bottom. */
const nested = (field: string, depth: number, inside: string): string =>
  depth === 0 ? inside : `${field} { id ${nested(field, depth - 1, inside)} }`;

/** Queries that ask for much, most of them as expensive as the limits allow. */
export const queryAttacks: readonly Attack[] = [
  attack('tweetFrequency of an empty minute, 100 aliases', ({ end }) => ({
    body: aliases(100, frequency, { f: end, t: end }, period),
  })),
  attack(`tweetFrequency of ${MINUTES} minutes, 100 aliases, after the empty one`, ({ end }) => ({
    body: aliases(100, frequency, { f: new Date(Number(end) - MINUTES * 60_000), t: end }, period),
  })),
  dearest(`tweetFrequency of ${MINUTES} minutes, as many as pass`, 100, (n, { end }) => ({
    body: aliases(n, frequency, { f: new Date(Number(end) - MINUTES * 60_000), t: end }, period),
  })),
  dearest(
    'values of 9,000 empty minutes in an interpreted query, as many as pass',
    90,
    (n, { end, personId }) => ({
      body: graphql(
        `query ${period} { tweetFrequency(from: $f, to: $t, unit: MINUTE, language: "xx") { ${Array.from({ length: n }, (_, k) => `a${k}: count`).join(' ')} } node(id: "${personId}") @include(if: false) { id } node(id: "${personId}") { id } }`,
        { f: new Date(Number(end) - MINUTES * 60_000), t: end },
      ),
    }),
  ),
  attack('nodes(100) { followers(100) { tweets(1, MOST_LIKED) } }', ({ userIds }) => ({
    body: graphql(
      'query ($i: [ID!]!) { nodes(ids: $i) { ... on User { followers(first: 100) { nodes { tweets(first: 1, order: MOST_LIKED) { nodes { id } } } } } } }',
      { i: userIds },
    ),
  })),
  dearest('nodes(n) { tweets(100, MOST_LIKED) }, as many as pass', 100, (n, { userIds }) => ({
    body: graphql(
      `query ($i: [ID!]!) { nodes(ids: $i) { ... on User { tweets(first: 100, order: MOST_LIKED) { ${tweetFields} } } } }`,
      { i: userIds.slice(0, n) },
    ),
  })),
  dearest('nodes(n) { followers(50) { tweets(1) } }, as many as pass', 100, (n, { userIds }) => ({
    body: graphql(
      'query ($i: [ID!]!) { nodes(ids: $i) { ... on User { followers(first: 50) { nodes { name tweets(first: 1) { nodes { content } } } } } } }',
      { i: userIds.slice(0, n) },
    ),
  })),
  attack('trendingHashtags of a week, 100 aliases', () => ({
    body: aliases(100, 'trendingHashtags(window: WEEK, first: 100) { count hashtag { name } }'),
  })),
  attack('inReplyTo nested ten deep with raw, 100 tweets', ({ tweetIds }) => ({
    body: graphql(
      `query ($i: [ID!]!) { nodes(ids: $i) { ... on Tweet { ${nested('inReplyTo', 9, 'raw')} } } }`,
      { i: tweetIds },
    ),
  })),
  attack('timeline of a user who follows 2,000, newest 100', ({ person, personId }) => ({
    headers: person,
    body: graphql(`{ ${timelineOf(personId, 'NEWEST', 100)} }`),
  })),
  attack('timeline of a user who follows 2,000, most liked 100', ({ person, personId }) => ({
    headers: person,
    body: graphql(`{ ${timelineOf(personId, 'MOST_LIKED', 100)} }`),
  })),
  dearest('timelines of many, as many as pass', 100, (n, { service, userIds }) => ({
    headers: service,
    body: graphql(
      `query ($i: [ID!]!) { nodes(ids: $i) { ... on User { timeline(first: 25) { ${tweetFields} } } } }`,
      { i: userIds.slice(0, n) },
    ),
  })),
  dearest('search for the two commonest words, most liked, as many as pass', 100, (n, { words }) => ({
    body: aliases(
      n,
      `searchTweets(words: $w, first: 100, order: MOST_LIKED) { ${tweetFields} }`,
      { w: words.slice(0, 2) },
      '($w: [String!]!)',
    ),
  })),
  dearest('search for many common words, newest, as many as pass', 20, (n, { words }) => ({
    body: graphql(
      `query ($w: [String!]!) { searchTweets(words: $w, first: 100, order: NEWEST) { ${tweetFields} } }`,
      { w: words.slice(0, n) },
    ),
  })),
  dearest('tweetHeatmap of the world, as many days as pass', 300, (n, target) => ({
    body: graphql(`{ tweetHeatmap(area: { ${WORLD} }, precision: 8, ${days(target, n)}) { geohash count } }`),
  })),
  dearest('tweetsInArea of the world for three years, as many as pass', 100, (n, target) => ({
    body: aliases(
      n,
      `tweetsInArea(area: { ${WORLD} }, first: 100, ${days(target, 1100)}) { ${tweetFields} }`,
    ),
  })),
  dearest('tweetsOfDay with their likers, as many as pass', 100, (n, { end }) => ({
    body: graphql(
      `{ tweetsOfDay(day: "${end.toISOString().slice(0, 10)}", first: ${n}) { nodes { id likers(first: 25) { nodes { name } } } } }`,
    ),
  })),
  dearest('10,000 people by three levels of following, as many as pass', 100, (n, { personId }) => ({
    body: graphql(
      `{ node(id: "${personId}") { ... on User { following(first: ${n}) { nodes { following(first: ${n}) { nodes { name followerCount } } } } } } }`,
    ),
  })),
  attack('everything explained, for a user who follows 2,000', ({ person, personId }) => ({
    headers: { ...person, 'x-explain': 'true' },
    body: graphql(`{ ${timelineOf(personId, 'NEWEST', 100)} }`),
  })),
  flood('50 timelines of a user who follows 2,000, at once', 50, ({ person, personId }) => ({
    headers: person,
    body: graphql(`{ ${timelineOf(personId, 'NEWEST', 100)} }`),
  })),
  flood('50 searches for the two commonest words, most liked, at once', 50, ({ words }) => ({
    body: graphql(`query ($w: [String!]!) { searchTweets(words: $w, first: 100) { ${tweetFields} } }`, {
      w: words.slice(0, 2),
    }),
  })),
];

const fragments = (count: number) =>
  `{ ...f0 } ${Array.from({ length: count }, (_, n) => `fragment f${n} on Query { ...f${n + 1} ...f${n + 1} }`).join(' ')} fragment f${count} on Query { __typename }`;

const type = (inside: string) =>
  `fields { name description args { name type { name } } type { name ofType { name ofType { ${inside} } } } }`;
const INTROSPECTION = `{ __schema { types { name ${type(`name ${type('name description')}`)} } } }`;

/** Documents that are expensive before anything is read. */
export const documentAttacks: readonly Attack[] = [
  attack('fragments that double 40 times', () => ({ body: graphql(fragments(40)) })),
  attack('one list with arguments 120 times, to be merged', ({ personId }) => ({
    body: graphql(
      `{ node(id: "${personId}") { ... on User { ${'tweets(first: 1) { nodes { id author { id } } } '.repeat(120)} } } }`,
    ),
  })),
  attack('fields that are the same in 240 inline fragments', ({ personId }) => ({
    body: graphql(`{ node(id: "${personId}") { ${'... on User { id name } '.repeat(240)} } }`),
  })),
  attack('a comment of 400 kB', () => ({ body: graphql(`{ __typename } #${'a'.repeat(400_000)}`) })),
  attack('one field 1,900 times', () => ({ body: graphql(`{ ${'__typename '.repeat(1900)} }`) })),
  attack('one field 4,900 times', () => ({ body: graphql(`{ ${'__typename '.repeat(4900)} }`) })),
  attack('one list with arguments 450 times, to be merged', ({ personId }) => ({
    body: graphql(
      `{ node(id: "${personId}") { ... on User { ${'tweets(first: 1) { nodes { id author { id } } } '.repeat(450)} } } }`,
    ),
  })),
  attack('fields that are the same in 1,000 inline fragments', ({ personId }) => ({
    body: graphql(`{ node(id: "${personId}") { ${'... on User { id name } '.repeat(1000)} } }`),
  })),
  attack('brackets nested 5,000 deep', () => ({
    body: graphql(`
      ${'{ a '.repeat(5000)}
      ${'}'.repeat(5000)}
    `),
  })),
  attack('introspection, 100 aliases', () => ({
    body: aliases(
      100,
      '__schema { types { name fields { name description args { name description type { name } } } } }',
    ),
  })),
  attack('a comment of 1 MB', () => ({ body: graphql(`{ __typename } # ${'a'.repeat(1_000_000)}`) })),
  attack('a document of 900 kB of commas', () => ({
    body: graphql(`
      {
        __typename
      }
      ${','.repeat(900_000)}
    `),
  })),
  attack('introspection without aliases, nested as deep as passes', () => ({
    body: graphql(INTROSPECTION),
  })),
  attack('2,400 variables', () => ({
    body: graphql(
      `query (${Array.from({ length: 2400 }, (_, n) => `$v${n}: Int`).join(' ')}) { __typename }`,
    ),
  })),
  flood(
    'one document of 60 users with two lists each, 300 values of its variable, at once',
    300,
    (_target, n) => ({
      body: graphql(
        `query ($n: Int) { ${Array.from({ length: 60 }, (_, k) => `a${k}: user(username: "nobody${k}") { followers(first: $n) { nodes { id name } } tweets(first: $n) { nodes { id author { name } } } }`).join(' ')} }`,
        { n: 1 + (n % 100) },
      ),
    }),
  ),
  flood('300 different documents of 85 lists, at once', 300, ({ personId }, n) => ({
    body: graphql(
      `query q${n} { node(id: "${personId}") { ... on User { ${Array.from({ length: 85 }, (_, k) => `a${k}: tweets(first: ${1 + ((n + k) % 3)}) { nodes { id } }`).join(' ')} } } }`,
    ),
  })),
];
