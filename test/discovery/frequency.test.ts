import { putAll } from '../../src/kit/writes/row-writer';
import { writeOf } from '../../src/kit/cassandra/write';
import { tweetFrequency } from '../../src/features/frequency/frequency.table';
import { FrequencyUnit, unitLengths, unitPeriods } from '../../src/features/frequency/unit';
import { startHarness, tweet, type Harness } from '../support/harness';
import { server } from './people';

interface Point {
  readonly at: string;
  readonly language: string | null;
  readonly count: number;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const LANGUAGES =
  'aa ab af am ar as az ba be bg bn bo br bs ca ce co cs cy da de dv dz ee el en eo es et eu fa fi fr ga gd gl gu ha'.split(
    ' ',
  );
/** A year in whose 200 days from March on each language has a tweet, in an hour of its own. */
const YEAR = Date.UTC(2023, 0, 1);
const MARCH = Date.UTC(2023, 2, 1);

async function ask(args: string, of: Harness = server) {
  const { data, errors, reads } = await of.query(`{ tweetFrequency(${args}) { at language count } }`);
  return { points: (data as { tweetFrequency: Point[] } | null)?.tweetFrequency ?? [], errors, reads };
}

const period = (from: number, to: number) =>
  `from: "${new Date(from).toISOString()}", to: "${new Date(to).toISOString()}"`;
const year = period(YEAR, YEAR + 365 * DAY);
const sum = (points: readonly Point[]) => points.reduce((total, { count }) => total + count, 0);

/** Stores counts of each language in the given ranges: imported ones, and posted ones in every other language. */
async function storeCounts(unit: FrequencyUnit, starts: readonly number[]): Promise<void> {
  const writes = starts.flatMap((start) =>
    LANGUAGES.map((language, n) => {
      const at = new Date(start);
      const posted = n % 2 === 0 ? null : 2;
      return writeOf(tweetFrequency, {
        unit,
        period: unitPeriods[unit](at),
        at,
        language,
        imported: 1,
        posted,
      });
    }),
  );
  await putAll(server.writeServices.bulk(), writes);
}
/** The sum of what `storeCounts` stores in a range. */
const OF_RANGE = 38 + 19 * 2;

beforeAll(async () => {
  const days = Array.from({ length: 200 }, (_, n) => MARCH + n * DAY);
  await storeCounts(FrequencyUnit.DAY, days);
  await storeCounts(
    FrequencyUnit.HOUR,
    Array.from({ length: 48 }, (_, n) => MARCH + n * HOUR),
  );
  await storeCounts(
    FrequencyUnit.MINUTE,
    Array.from({ length: 200 }, (_, n) => MARCH + n * unitLengths.MINUTE),
  );
});

test('the days of a year are too many by language, and 365 of all languages', async () => {
  const { errors } = await ask(`${year}, unit: DAY`);
  expect(errors).toMatchObject([
    {
      message:
        'There are at most 10000 points, but these would be 13870, of 38 languages: byLanguage: false fits, and so do one language and a shorter period.',
      extensions: { code: 'BAD_USER_INPUT' },
    },
  ]);
  const { points, reads } = await ask(`${year}, unit: DAY, byLanguage: false`);
  expect(points).toHaveLength(365);
  expect(points.map(({ at }) => Date.parse(at))).toEqual(
    Array.from({ length: 365 }, (_, n) => YEAR + n * DAY),
  );
  expect(points.every(({ language }) => language === null)).toBe(true);
  expect(sum(points)).toBe(200 * OF_RANGE);
  expect(reads).toMatchObject([{ statement: 'tweet_frequency.range', partitions: 1, rows: 200 }]);
});

/** A day on which so many languages have a tweet. */
async function storeLanguages(at: Date, languages: number): Promise<void> {
  const unit = FrequencyUnit.DAY;
  const day = { unit, period: unitPeriods[unit](at), at, imported: null, posted: 1 };
  const writes = Array.from({ length: languages }, (_, n) =>
    writeOf(tweetFrequency, { ...day, language: `l${n}` }),
  );
  await putAll(server.writeServices.bulk(), writes);
}

/** The bound of items and values of a query, and the points that it gets. */
async function boundAndPoints(args: string) {
  const query = `{ tweetFrequency(${args}) { at language count __typename } }`;
  const { data, extensions } = JSON.parse((await server.post(JSON.stringify({ query }))).body) as {
    data: { tweetFrequency: Point[] };
    extensions: { cost: { boundOfNodes: number; boundOfValues: number } };
  };
  return { ...extensions.cost, points: data.tweetFrequency.length };
}

test('the bound of an answer counts languages where each has points, and no others', async () => {
  await storeLanguages(new Date(Date.UTC(2021, 0, 1)), 200);
  const day = period(Date.UTC(2021, 0, 1), Date.UTC(2021, 0, 2));
  const each = await boundAndPoints(`${day}, unit: DAY`);
  expect(each).toMatchObject({ points: 200, boundOfNodes: 200, boundOfValues: 801 });
  const hours = await boundAndPoints(`${period(MARCH, MARCH + DAY)}, unit: HOUR`);
  expect(hours.points).toBe(24 * 38);
  expect(hours.boundOfNodes).toBeGreaterThanOrEqual(24 * 38);
  for (const args of ['byLanguage: false', 'language: "fr"', 'language: "fr", byLanguage: true'])
    expect(await boundAndPoints(`${day}, unit: DAY, ${args}`)).toMatchObject({ points: 1, boundOfNodes: 1 });
  // A period by minutes has no more points than there may be.
  const minutes = await boundAndPoints(period(MARCH, MARCH + 200 * unitLengths.MINUTE));
  expect(minutes).toMatchObject({ points: 200 * 38, boundOfNodes: 10_000 });
});

test('of more than 200 languages those with the most tweets in the period are shown, of as many the first by tag', async () => {
  const from = Date.UTC(2021, 1, 1);
  const stored = Array.from({ length: 240 }, (_, n) => ({
    language: `l${(n * 7) % 240}`,
    days: [n % 3, 0, (n * n) % 5],
  }));
  const unit = FrequencyUnit.DAY;
  const writes = stored.flatMap(({ language, days }) =>
    days.map((imported, day) => {
      const at = new Date(from + day * DAY);
      return writeOf(tweetFrequency, {
        unit,
        period: unitPeriods[unit](at),
        at,
        language,
        imported,
        posted: null,
      });
    }),
  );
  await putAll(server.writeServices.bulk(), writes);
  for (const days of [1, 3]) {
    const totals = stored.map(({ language, days: of }) => ({
      language,
      total: of.slice(0, days).reduce((total, count) => total + count, 0),
    }));
    const used = totals.filter(({ total }) => total > 0);
    used.sort((one, other) => other.total - one.total || (one.language < other.language ? -1 : 1));
    const shown = used.slice(0, 200).map(({ language }) => language);
    const asked = `${period(from, from + days * DAY)}, unit: DAY`;
    const { points, errors } = await ask(asked);
    expect(errors).toEqual([]);
    expect(points).toEqual(
      Array.from({ length: days }, (_, day) =>
        [...shown].sort().map((language) => ({
          at: new Date(from + day * DAY).toISOString(),
          language,
          count: stored.find((one) => one.language === language)?.days[day],
        })),
      ).flat(),
    );
    const ofAll = await ask(`${asked}, byLanguage: false`);
    expect(sum(ofAll.points)).toBe(totals.reduce((all, { total }) => all + total, 0));
    expect((await ask(`${asked}, language: "fr"`)).points.map(({ count }) => count)).toEqual(
      Array<number>(days).fill(0),
    );
  }
});

test('ranges that are too many for 200 languages are refused, and the message says which unit fits', async () => {
  await storeLanguages(new Date(Date.UTC(2020, 0, 1)), 201);
  const days = (count: number) => `${period(Date.UTC(2020, 0, 1), Date.UTC(2020, 0, 1 + count))}, unit: DAY`;
  const { points, errors } = await ask(days(50));
  expect([points.length, errors]).toEqual([10_000, []]);
  expect((await ask(days(51))).errors).toMatchObject([
    {
      message:
        'There are at most 10000 points, but these would be 10200, of 200 languages: byLanguage: false fits, and so do one language and a shorter period.',
      extensions: { code: 'BAD_USER_INPUT' },
    },
  ]);
});

test('a language that is given has its tag, whatever byLanguage says', async () => {
  const [all, one] = await Promise.all(
    ['', ', byLanguage: false'].map((more) => ask(`${year}, unit: DAY, language: "ba"${more}`)),
  );
  expect(all?.points).toEqual(one?.points);
  expect(one?.points).toHaveLength(365);
  expect(one?.points[59]).toEqual({ at: new Date(MARCH).toISOString(), language: 'ba', count: 3 });
  // The rows of all languages are read, and those of the others left out.
  expect(one?.reads.reduce((rows, read) => rows + read.rows, 0)).toBe(200 * 38);
});

test('a period reads the rows of its ranges, not those that follow', async () => {
  const day = period(MARCH, MARCH + DAY);
  const each = await ask(`${day}, unit: HOUR`);
  expect(sum(each.points)).toBe(24 * OF_RANGE);
  expect(each.reads).toMatchObject([
    { partitions: 1, rows: 720 },
    { partitions: 1, rows: 24 * 38 - 720 },
  ]);
  const all = await ask(`${day}, unit: HOUR, byLanguage: false`);
  expect(all.points.map(({ count }) => count)).toEqual(Array.from({ length: 24 }, () => OF_RANGE));
  expect(all.reads).toMatchObject([{ partitions: 1, rows: 24 }]);
});

test('more rows than one read returns are all counted', async () => {
  const minutes = period(MARCH, MARCH + 200 * unitLengths.MINUTE);
  const each = await ask(minutes);
  expect(each.points).toHaveLength(200 * 38);
  expect(each.reads).toHaveLength(2);
  const byMinute = new Map<string, number>();
  for (const { at, count } of each.points) byMinute.set(at, (byMinute.get(at) ?? 0) + count);
  const all = await ask(`${minutes}, byLanguage: false`);
  expect(new Map(all.points.map(({ at, count }) => [at, count]))).toEqual(byMinute);
  expect(sum(all.points)).toBe(200 * OF_RANGE);
});

test('a period that begins and ends within a minute counts the tweets there, of all languages or one', async () => {
  const start = Date.UTC(2022, 5, 1, 12);
  const at = (seconds: number) => new Date(start + seconds * 1000);
  await server.store(
    [10, 20, 30, 80, 150, 160].map((seconds, n) => {
      const more = { createdAt: at(seconds), language: n % 2 === 0 ? 'fr' : 'es' };
      return tweet(String(900 + n), '1', 0, more);
    }),
  );
  const part = period(Number(at(20)), Number(at(160)));
  const counts = async (args: string) => (await ask(`${part}${args}`)).points.map(({ count }) => count);
  expect(await counts(', byLanguage: false')).toEqual([2, 1, 1]);
  expect(await counts(', language: "fr"')).toEqual([1, 0, 1]);
  expect(await counts(', unit: DAY, byLanguage: false')).toEqual([4]);
  // In each minute Spanish, then French.
  expect(await counts('')).toEqual([1, 1, 1, 0, 0, 1]);
});

test('another tag of a language asks for the same, and one of no language is refused', async () => {
  const [plain, whole] = await Promise.all(
    ['de', 'de-CH'].map((tag) => ask(`${year}, unit: DAY, language: "${tag}"`)),
  );
  expect(plain?.points).toHaveLength(365);
  expect(whole?.points).toEqual(plain?.points);
  const { errors } = await ask(`${year}, unit: DAY, language: "xx"`);
  expect(errors.map(({ extensions }) => extensions.code)).toEqual(['BAD_USER_INPUT']);
});

test.each([
  ['', 'unit HOUR fits for one language, or with byLanguage: false'],
  [', byLanguage: false', 'unit HOUR fits'],
  [', language: "fr"', 'unit HOUR fits'],
])('a year of minutes is refused before anything is read%s', async (args, advice) => {
  const { errors, reads } = await ask(`${year}${args}`);
  const message = `There are at most 10000 points, but these would be 525600: ${advice}.`;
  expect(errors).toMatchObject([{ message, extensions: { code: 'BAD_USER_INPUT' } }]);
  expect(reads).toEqual([]);
});

test('a server answers the same period from what it has read a moment ago', async () => {
  const keeping = await startHarness({ CACHE_SECONDS: '5' }, server);
  try {
    const first = await ask(`${year}, unit: DAY, byLanguage: false`, keeping);
    const second = await ask(`${year}, unit: DAY, byLanguage: false`, keeping);
    expect(second.points).toEqual(first.points);
    expect(first.reads).toMatchObject([{ statement: 'tweet_frequency.range', rows: 200 }]);
    expect(second.reads).toMatchObject([{ statement: 'tweet_frequency.range', cached: true }]);
  } finally {
    await keeping.close();
  }
});
