import { parse, validate } from 'graphql';
import { rowsOf, quartersOf, type Timed } from '../bench/soak/curves';
import { createActs } from '../bench/soak/acts';
import { createLedger } from '../bench/soak/ledger';
import { castPeople } from '../bench/soak/people';
import { maxOf, sumOf } from '../bench/soak/sample-server';
import { SUBSCRIPTIONS } from '../bench/soak/subscribers';
import { sectionsOf } from '../bench/scale/tables';
import { createSchema } from '../src/app';
import { encodeNodeId } from '../src/kit/graphql/global-id';

const schema = createSchema();

const load = {
  ...{ rate: 100, p50: 1, p99: 2, cpu: 0.5 },
  ...{ serverCores: 0.5, cassandraCores: 1, generatorCores: 0.1, errors: 0 },
};

test('the table of servers divides each rate by that of one server', () => {
  const [shape] = sectionsOf(
    [
      { servers: 1, name: 'A', what: 'tweets', load },
      { servers: 2, name: 'A', what: 'tweets', load: { ...load, rate: 150 } },
    ],
    1,
  );
  expect(shape?.lines).toEqual([
    { servers: 1, 'A /s': 100, 'A : one server': 1 },
    { servers: 2, 'A /s': 150, 'A : one server': 1.5 },
  ]);
});

test('a request that is not answered is a failure', () => {
  const sections = sectionsOf([{ servers: 2, name: 'A', what: 'tweets', load: { ...load, errors: 3 } }], 3);
  expect(sections.flatMap(({ failures = [] }) => failures)).toEqual([
    'Every request must be answered, but 3 of A on 2 servers were not.',
  ]);
});

function samplesOf(values: readonly number[]): Timed[] {
  return values.map((heap, n) => ({ seconds: (n + 1) * 15, figures: { heap } }));
}

test('rows have the means of their samples, and as many samples each as can be', () => {
  expect(rowsOf(samplesOf([1, 3, 5, 7]), ['heap'], 2)).toEqual([
    { minutes: 0.5, heap: 2 },
    { minutes: 1, heap: 6 },
  ]);
  expect(rowsOf(samplesOf([1, 2]), ['heap'], 12)).toHaveLength(2);
});

test('the quarters tell what is flat from what grows, and leave out samples without a figure', () => {
  expect(quartersOf(samplesOf([1, 2, 3, 4]), ['heap'])).toEqual([
    { figure: 'heap', 'second quarter': 2, 'last quarter': 4, 'last : second': 2 },
  ]);
  expect(quartersOf(samplesOf([9, 9, 5, NaN, 0, 0, 5, NaN]), ['heap'])[0]?.['last : second']).toBe(1);
  expect(quartersOf(samplesOf([0, 0, 0, 0]), ['heap'])[0]?.['last : second']).toBe(1);
});

test('a metric is added over its labels, or its greatest value is taken', () => {
  const text = 'tasks{kind="a"} 2\ntasks{kind="b"} 3\ntasks_total 9\n';
  expect([sumOf(text, 'tasks'), maxOf(text, 'tasks'), sumOf(text, 'others')]).toEqual([5, 3, NaN]);
});

test('events count that come before the answer to who posted, and those are missing that never come', () => {
  let now = 0;
  const ledger = createLedger(() => now);
  const posted = (tweetId: string, sentAt: number) => {
    ledger.posted({ tweetId, authorId: '1', repliedTo: null, sentAt });
  };
  const follower = ledger.subscriber(({ authorId }) => authorId === '1');
  ledger.subscriber(() => false);
  now = 5;
  follower.given('10');
  posted('10', 2);
  posted('11', 6);
  posted('12', 7);
  now = 9;
  follower.given('11');
  follower.given('11');
  expect([ledger.expected(), ledger.missing()]).toEqual([3, 1]);
  expect(ledger.takeDelays()).toEqual([3, 3]);
  expect(ledger.takeDelays()).toEqual([]);
});

const authors = Array.from({ length: 120 }, (_, n) => String(n + 1));
const readers = Array.from({ length: 200 }, (_, n) => String(n + 1001));
const edges = readers.flatMap((reader, n) =>
  authors.slice(0, n % 9).map((author) => [reader, author] as const),
);

test('nobody who subscribes to a timeline follows or unfollows, and pairs are of people who do not follow', () => {
  const people = castPeople({ edges, readers, authors }, 20);
  const follows = new Set(edges.map((edge) => edge.join()));
  expect(people.pairs.filter((pair) => follows.has(pair.join()))).toEqual([]);
  expect(people.pairs.filter(([follower]) => people.subscribers.includes(follower))).toEqual([]);
  expect(people.subscribers.map((id) => people.followed.get(id)?.size)).toContain(8);
});

test('all acts and subscriptions of a soak are valid, and each kind of act comes', () => {
  const kinds = new Set<string>();
  const act = createActs({
    people: castPeople({ edges, readers, authors }, 20),
    headers: new Map(),
    ports: [1, 2],
    ledger: createLedger(),
    answered: (kind) => kinds.add(kind),
  });
  const sources = Object.values(SUBSCRIPTIONS).map(({ query }) => query);
  for (let n = 0; n < 300; n++) {
    const { body, answered } = act();
    const { query } = JSON.parse(String(body)) as { query: string };
    if (!sources.includes(query)) sources.push(query);
    const text = JSON.stringify({
      data: { createTweet: { tweet: { id: encodeNodeId('Tweet', String(n)) } } },
    });
    answered?.({ status: 200, code: null, bytes: 0, text, milliseconds: 1 });
  }
  for (const source of sources) expect(validate(schema, parse(source))).toEqual([]);
  expect(kinds.size).toBe(8);
});
