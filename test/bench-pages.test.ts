import { parse, validate } from 'graphql';
import { randomFrom } from '../src/kit/base/random';
import { median } from '../bench/measure';
import { generatePeople } from '../bench/pages/generate';
import { pageQuestions } from '../bench/pages/questions';
import { drawSubjects } from '../bench/pages/subjects';
import { storeLikes } from '../src/demo/store-likes';
import { decodeNodeId } from '../src/kit/relay/node';
import { createSchema } from '../src/schema';
import { startHarness } from './harness';

const DAY = 86_400_000;
const END = new Date(Date.UTC(2026, 10, 1));

/** How often each key comes. */
function countsOf(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

test('half of the generated people post twice a month, over years; few post much or have many followers', () => {
  const { people, records } = generatePeople(40_000, END, randomFrom(5));
  const joined = new Map<string, number>();
  const posts: string[] = [];
  const followed: string[] = [];
  let first = END;
  for (const record of records) {
    if (record.kind === 'user') joined.set(record.userId ?? '', Number(record.createdAt));
    if (record.kind === 'follow') followed.push(record.followee.userId ?? '');
    if (record.kind !== 'tweet') continue;
    posts.push(record.author.userId ?? '');
    if (record.createdAt < first) first = record.createdAt;
  }
  expect(joined.size).toBe(people);
  expect(posts.length).toBeGreaterThan(20_000);
  expect(posts.length).toBeLessThan(80_000);
  const tweets = countsOf(posts);
  const monthly = [...joined]
    .filter(([, at]) => at < Number(END) - 180 * DAY)
    .map(([id, at]) => (tweets.get(id) ?? 0) / ((Number(END) - at) / (30 * DAY)));
  expect(median(monthly)).toBeGreaterThan(1.5);
  expect(median(monthly)).toBeLessThan(2.5);
  expect(Math.max(...monthly)).toBeGreaterThan(40);
  const followers = [...countsOf(followed).values()];
  expect(Math.max(...followers)).toBeGreaterThan(8 * median(followers));
  expect(Number(END) - Number(first)).toBeGreaterThan(3 * 365 * DAY);
});

test('the benchmark asks of everybody, the most followed among them, every list that the schema has', async () => {
  const schema = createSchema();
  for (const { source } of pageQuestions) expect(validate(schema, parse(source))).toEqual([]);
  const server = await startHarness();
  const { people, records, likes } = generatePeople(300, END, randomFrom(5));
  const tweets = records.flatMap((record) => (record.kind === 'tweet' ? record : [])).slice(0, 100);
  await server.store([...records.filter(({ kind }) => kind !== 'tweet'), ...tweets]);
  const known = new Set(tweets.map(({ tweetId }) => tweetId));
  const stored = likes.filter(([like]) => like && known.has(like.tweetId));
  await storeLikes(server.database, stored);
  const subjects = await drawSubjects(server.database);
  expect(subjects.person).toHaveLength(people);
  const followees = records.flatMap((record) =>
    record.kind === 'follow' ? (record.followee.userId ?? '') : [],
  );
  const [mostFollowed] = [...countsOf(followees)].sort(([, a], [, b]) => b - a);
  expect(subjects.person.slice(0, 5).map(({ id }) => id)).toContain(mostFollowed?.[0]);
  expect(subjects.replied.map(({ id }) => id).sort()).toEqual(
    [...new Set(tweets.flatMap(({ inReplyToId }) => inReplyToId ?? []))].sort(),
  );
  expect(subjects.liked.map(({ id }) => id).sort()).toEqual(
    stored.flatMap(([like]) => like?.tweetId ?? []).sort(),
  );
  for (const { id, variable } of subjects.liked)
    expect(decodeNodeId(variable)).toEqual({ type: 'Tweet', id });
  for (const { name, of, source } of pageQuestions) {
    const subject = subjects[of][0];
    const { data, errors } = await server.query(source, { of: subject?.variable });
    expect([name, errors]).toEqual([name, []]);
    expect(Object.values(data as Record<string, unknown>)[0]).toHaveProperty('list');
  }
  await server.close();
});
