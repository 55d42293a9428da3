import { getNamedType, isObjectType } from 'graphql';
import type { Read } from '../../src/kit/reads/load';
import { createSchema } from '../../src/app';
import { tweetsByDay } from '../../src/features/tweet/tweet.lists';
import { follow, person, startHarness, tweet, type Answer, type Harness } from '../support/harness';
import { isLong } from '../support/long';
import { directionsOf, fieldsOf, firstOf, isConnection, placesOf, simple, waysOf } from '../support/places';
import { given } from './given';
import { news } from './news-seed';
import { rowsOfSociety } from './society-seed';
import { everyone, MANY, NESTED, rowsOfActs, rowsOfRankings, seed, trends, userOf } from './seed';

/** How many items the outermost list of the smaller query has; that of the larger one has MANY. */
const FEW = 2;

/**
 * Some items lead to others by so many more steps than others do, each of which is a request, however many items there are: a quote that
 * somebody else has written waits for whether the two block each other, a tweet of a list for where its conversation begins, and replies
 * to somebody who blocks anybody for whether these are blocked. A request for each item would be five more.
 */
const MORE_STEPS = 3;

/** Lists whose bucket is more than one partition. */
const partitionsOfBucket: Readonly<Record<string, number>> = { 'Query.tweetsOfDay': tweetsByDay.shards };

const schema = createSchema();
const { root, stepsFrom, call, ask } = placesOf(schema, given, NESTED);
const ofType = ({ type }: { type: { name: string } }) => type.name;
/** A service cannot ask for a notification by its id: `User.notifications` reaches it. */
const isReached = ({ path }: { path: string }) => !/^Query\.nodes?:Notification/.test(path);
/** One way to each type without a list around it, every way into one list, and one further from there. */
const single = firstOf(
  stepsFrom(root).filter((place) => place.lists === 0 && isReached(place)),
  ofType,
);
/** The way through edges shares its code with the way through nodes: it is tried for one list. */
const isRepeated = (path: string) =>
  path.includes('edges.node') && !path.endsWith('Query.user.following(first).edges.node');
const listed = [root, ...single]
  .flatMap(stepsFrom)
  .filter((place) => place.lists === 1 && !isRepeated(place.path) && isReached(place));
const linked = firstOf(listed, ofType)
  .flatMap(stepsFrom)
  .filter(({ lists }) => lists === 1);
const isMixed = (path: string) => {
  const [outer, inner] = [...path.matchAll(/\)\.(nodes|edges\.node)/g)].map(([, way]) => way);
  return inner !== undefined && outer !== inner;
};
/** Ancestors have none or few themselves, and the more of them are asked for, the farther it is to the first. */
const isAbove = (path: string, field: string) => field === 'ancestors' && path.includes('ancestors');
/** Every list in a list, the inner one by the same way to its items as the outer. */
const nested = firstOf(
  [...firstOf([...listed, ...linked], ofType), ...listed]
    .flatMap(stepsFrom)
    .filter(({ lists, path }) => lists === 2 && !isMixed(path) && !/ancestors.*ancestors/.test(path)),
  ({ path }) => path,
);

/** The type of the items of the list around a nested one. */
const typeAround = (path: string) =>
  [...listed, ...linked].filter((outer) => path.startsWith(`${outer.path}.`)).at(-1)?.type.name ?? '';
const lastStep = (path: string) => /[^.]+\.(?:nodes|edges\.node)$/.exec(path)?.[0] ?? path;
/** The short form tries each field of a type below one list of such items; the long one below each list. */
const tried = isLong ? nested : firstOf(nested, ({ path }) => `${typeAround(path)}.${lastStep(path)}`);
/** So it is with the fields that are lists themselves, which go by the id of an item alone: most of the time is theirs. */
const withLists = isLong ? [...listed, ...linked] : firstOf([...listed, ...linked], ofType);

let server: Harness;
beforeAll(async () => {
  // All that each user of a page shows of itself, with as many muted words as one may have, is more than an answer may have.
  server = await startHarness({ LIMIT_VALUES: '1000000' });
  await server.store([...seed, ...trends]);
  const bulk = server.writeServices.bulk();
  for (const write of [...rowsOfActs(), ...rowsOfRankings(), ...rowsOfSociety(), ...news])
    await bulk.put(write);
  await bulk.flush();
});
afterAll(() => server.close());

async function answerTo(source: string): Promise<Answer> {
  const answer = await server.query(source);
  if (answer.errors.length > 0) throw new Error(`${source}\n${JSON.stringify(answer.errors)}`);
  return answer;
}

/** How many keys a request has at most, where that is less than a hundred, because they may have 8 MiB. */
const FULL: Readonly<Record<string, number>> = { 'raw_tweets.get': 7, 'hidden_by_user.page': 3 };

/**
 * The statements that take more requests for many items than for few. Which loads share a request depends on when Cassandra answers, so
 * what seems to grow is asked for again: a request per item grows each time.
 */
async function grown(source: (size: number) => string, times = 3): Promise<string[]> {
  const few = (await answerTo(source(FEW))).reads;
  const many = (await answerTo(source(MANY))).reads;
  // Of requests that are full, only the last counts.
  const requests = (reads: readonly Read[], name: string) =>
    reads.filter(({ statement, keys }) => statement === name && keys !== (FULL[name] ?? 100));
  const lines = [...new Set(many.map(({ statement }) => statement))].flatMap((name) => {
    const [before, after] = [requests(few, name), requests(many, name)];
    if (after.length <= before.length + MORE_STEPS) return [];
    const askers = [...new Set(after.flatMap(({ paths }) => paths))].join(', ');
    return `${name}: ${before.length} requests for ${FEW} items, ${after.length} for ${MANY}, asked by ${askers}`;
  });
  return lines.length === 0 || times === 1 ? lines : grown(source, times - 1);
}

/**
 * The fields below a place that take more requests for many items than for few. Fields are tried together, which is much
 * faster. Those that grow together are tried in halves: many keys go out in several requests, so fields may grow only together.
 */
async function grownFields(
  place: (typeof listed)[number],
  fields: ReturnType<typeof waysOf>,
): Promise<string[]> {
  const lines = await grown((size) => ask(place, fields, size));
  if (lines.length === 0) return [];
  const [first] = fields;
  if (fields.length <= 1) return lines.map((line) => `${first?.[0].name} (${first?.[1]}): ${line}`);
  const half = Math.ceil(fields.length / 2);
  return [
    ...(await grownFields(place, fields.slice(0, half))),
    ...(await grownFields(place, fields.slice(half))),
  ];
}

/** The requests for pages of a list, less what tells which partitions to read, and what is hidden from a user by the whole partition. */
function pagesOf(reads: readonly Read[]): Read[] {
  return reads.filter(
    ({ statement, table, fields }) =>
      statement.endsWith('.page') &&
      !(table === 'hidden_by_user' && /User.notifications|Tweet.replies/.test(fields.join())) &&
      !['buckets', 'segments', 'pulled_by_user', 'tweet_invalidations'].includes(table),
  );
}

test('the walk reaches every object type but those of mutations and subscriptions', () => {
  const reached = [root, ...single, ...listed, ...linked].map(({ type }) => type);
  const pages = reached.flatMap(fieldsOf).map(({ type }) => getNamedType(type));
  const within = pages
    .filter(isConnection)
    .flatMap(fieldsOf)
    .map(({ type }) => getNamedType(type));
  const ofEdges = within
    .filter(isObjectType)
    .flatMap(fieldsOf)
    .map(({ type }) => getNamedType(type));
  const mutation = schema.getMutationType();
  const payloads = mutation ? fieldsOf(mutation).map(({ type }) => getNamedType(type)) : [];
  const subscription = schema.getSubscriptionType();
  const known = [...reached, ...pages, ...within, ...ofEdges, mutation, subscription, ...payloads];
  const types = Object.values(schema.getTypeMap()).filter(isObjectType);
  expect(types.filter((type) => !type.name.startsWith('__') && !known.includes(type))).toEqual([]);
});

test('each list of the schema has items in the seed of this test', async () => {
  const short = new Map<string, string>();
  const full = new Set<string>();
  // Below another list, some way to it is enough: what was posted last has no likes.
  const keyOf = ({ path, lists }: (typeof nested)[number]) => (lists === 1 ? path : lastStep(path));
  for (const place of [...listed, ...nested]) {
    if (full.has(keyOf(place))) continue;
    const items =
      JSON.stringify((await answerTo(place.around('__typename', MANY))).data).split('__typename').length - 1;
    if (items >= (place.lists === 1 ? MANY : MANY * NESTED)) full.add(keyOf(place));
    else short.set(keyOf(place), `${place.path} has ${items} items`);
  }
  expect([...short].flatMap(([key, what]) => (full.has(key) ? [] : what))).toEqual([]);
});

test.each([...listed, ...linked].map((place) => [place.path, place] as const))(
  'no field below %s takes a request per item',
  async (_path, place) => {
    const ways = waysOf(place.type).filter(
      ([{ name, type }]) =>
        !isAbove(place.path, name) && (withLists.includes(place) || !isConnection(getNamedType(type))),
    );
    expect(await grownFields(place, ways)).toEqual([]);
  },
);

const isIn = (outer: string) => (place: (typeof nested)[number]) => place.path.startsWith(`${outer}.`);

test.each(listed.map(({ path }) => path).filter((outer) => tried.some(isIn(outer))))(
  'nothing below a list in %s takes a request per item',
  async (outer) => {
    const wrong: string[] = [];
    for (const place of tried.filter(isIn(outer)))
      for (const line of await grown((size) => place.around(simple(place.type, 1), size)))
        wrong.push(`${place.path}: ${line}`);
    expect(wrong).toEqual([]);
  },
);

test('each list in a list is among those', () => {
  expect(nested.filter(({ path }) => !listed.some((outer) => path.startsWith(`${outer.path}.`)))).toEqual([]);
});

// A notification has no node to ask for, and the ancestors of a tweet are read by their ids.
const lists = [root, ...single].flatMap((place) =>
  fieldsOf(place.type)
    .filter(({ name }) => place.type.name !== 'Notification' && name !== 'ancestors')
    .filter(({ type }) => isConnection(getNamedType(type)))
    .flatMap((field) =>
      directionsOf(field).map(
        (direction) => [`${place.type.name}.${field.name}`, direction, place, field] as const,
      ),
    ),
);

const keptLists = ['Query.searchTweets', 'Hashtag.tweets'];

test.each(lists)(
  'a page of %s (%s) reads one partition for each bucket walked, in one request',
  async (name, direction, place, field) => {
    const page = `${call(place, field, MANY, undefined, direction)} { edges { cursor } }`;
    const pages = pagesOf((await answerTo(place.around(page, MANY))).reads);
    // A server keeps the postings of words and hashtags that it has read.
    if (keptLists.includes(name) && pages.length === 0) return;
    expect(pages.map(({ partitions }) => partitions)).toEqual([partitionsOfBucket[name] ?? 1]);
  },
);

// The last of the file: each of them begins with nothing.
describe('lists that walk different months', () => {
  const MONTHS = 4;
  const source = (size: number, direction: string) =>
    `{ user(username: "user0") { following(first: ${size}) { nodes { tweets(${direction}: 6) { nodes { id } } } } } }`;
  /** Twelve authors; which of them posted how often in a month. */
  async function requestsFor(posts: (author: number, month: number) => number): Promise<number[]> {
    await server.empty();
    await server.store([
      ...everyone.slice(0, 13).map((n) => person(userOf(n), `user${String(n)}`)),
      ...everyone
        .slice(1, 13)
        .flatMap((n) => [
          follow(userOf(0), userOf(n), n),
          ...Array.from({ length: MONTHS }, (_, month) =>
            Array.from({ length: posts(n, month) }, (__, k) =>
              tweet(String(1000 + month * 1000 + n * 10 + k), userOf(n), month * 31),
            ),
          ).flat(),
        ]),
    ]);
    const counts: number[] = [];
    for (const direction of ['first', 'last']) {
      const { reads, errors } = await server.query(source(12, direction));
      expect(errors).toEqual([]);
      counts.push(reads.filter(({ table }) => table === 'tweets_by_author').length);
    }
    return counts;
  }

  test('take one request when they have different numbers of rows', async () => {
    expect(await requestsFor((author) => 1 + (author % 5))).toEqual([1, 1]);
  });

  test('take one request when they have rows of different months', async () => {
    expect(await requestsFor((author, month) => (author % MONTHS === month ? 0 : 2))).toEqual([1, 1]);
  });
});
