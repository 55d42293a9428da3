import { societyQuestions } from '../bench/society/questions';
import { getNamedType, parse, validate, type GraphQLObjectType } from 'graphql';
import { randomFrom } from '../src/kit/base/random';
import { median } from '../bench/measure';
import { generatePeople } from '../bench/pages/generate';
import { generatePeoplesNews } from '../bench/pages/generate-news';
import { boundsOf, kindOf } from '../bench/pages/kinds';
import { pageQuestions } from '../bench/pages/questions';
import { drawSubjects } from '../bench/pages/subjects';
import { storeLikes } from '../src/import/store/likes';
import { storeNews } from '../src/import/store/news';
import { decodeNodeId } from '../src/kit/graphql/global-id';
import { createSchema } from '../src/app';
import { startHarness } from './support/harness';

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

test('a few people have most followers, and others are quiet, ordinary or busy by what they post', () => {
  const everybody = Array.from({ length: 400 }, (_, n) => ({ tweets: n, followers: 400 - n }));
  const bounds = boundsOf(everybody);
  const sizes = countsOf(everybody.map((one) => kindOf(one, bounds)));
  expect(bounds).toEqual({ quiet: 100, ordinary: 299, celebrity: 393 });
  expect(Object.fromEntries(sizes)).toEqual({ celebrity: 8, quiet: 93, ordinary: 199, busy: 100 });
});

test('of every list that the schema has, the benchmark asks, except for those of a period', () => {
  const schema = createSchema();
  for (const { source } of pageQuestions) expect(validate(schema, parse(source))).toEqual([]);
  const all = [...pageQuestions, ...societyQuestions];
  const isAsked = (list: string) => all.some(({ source }) => source.includes(` ${list}(`));
  const left = ['Query', 'User', 'Tweet', 'Article', 'Hashtag'].flatMap((type) => {
    const fields = Object.values((schema.getType(type) as GraphQLObjectType).getFields());
    const lists = fields.filter((field) => getNamedType(field.type).name.endsWith('Connection'));
    return lists.map(({ name }) => name).filter((name) => !isAsked(name));
  });
  // `isAsked` is true of `Query.comments`, too, because articles have a list of that name.
  // What lists of a conversation, and of what one hides, cost is measured by `bench -- bounds`.
  const ofBounds = ['ancestors', 'blockedUsers', 'mutedUsers', 'quotes', 'sharers'];
  expect(left.sort()).toEqual([...ofBounds, 'rankings', 'tweetsInArea'].sort());
});

test('the benchmark asks of everybody, the most followed among them', async () => {
  const server = await startHarness();
  const { people, records, likes } = generatePeople(300, END, randomFrom(5));
  const tweets = records.flatMap((record) => (record.kind === 'tweet' ? record : [])).slice(0, 100);
  await server.store([...records.filter(({ kind }) => kind !== 'tweet'), ...tweets]);
  const known = new Set(tweets.map(({ tweetId }) => tweetId));
  const stored = likes.filter(([like]) => like && known.has(like.tweetId));
  await storeLikes(server.database, stored);
  const users = records.flatMap((record) => (record.kind === 'user' ? (record.userId ?? '') : []));
  const { articles, comments } = generatePeoplesNews(users, END, randomFrom(5));
  await storeNews(server.database, { articles, comments: comments.slice(0, 100) });
  const { of: subjects } = await drawSubjects(server.database);
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
    expect([name, JSON.stringify(data)]).toEqual([name, expect.stringMatching(/"(nodes|edges)":\[/)]);
  }
  await server.close();
});
