import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { person, startHarness, tweet, type Harness } from '../support/harness';
import type { Answer } from '../../src/tools/testing/testing';

/** Long enough to see what is kept, even on a busy machine. */
const KEEPING = { CACHE_SECONDS: '5' };

/** Two servers on one database, which keep what they read, and the users and tweets that tests ask for together. */
export let near: Harness;
export let far: Harness;

const PEOPLE = Array.from({ length: 8 }, (_, n) => String(n + 1));
export const TWEETS = PEOPLE.map((id) => String(100 + Number(id)));

beforeAll(async () => {
  near = await startHarness(KEEPING);
  far = await startHarness(KEEPING, near);
  await near.store([
    ...PEOPLE.map((id) => person(id, `user${id}`)),
    ...PEOPLE.map((id, n) => tweet(TWEETS[n] ?? '', id, n)),
  ]);
});

afterAll(async () => {
  await far.close();
  await near.close();
});

/** Asks for all tweets with their likes and authors: so many that it is worth finding out what a person wrote. */
export const ALL = `{ nodes(ids: ${JSON.stringify(TWEETS.map((id) => encodeNodeId('Tweet', id)))}) {
  ... on Tweet { tweetId likeCount author { userId name followerCount } } } }`;

interface Shown {
  readonly tweetId: string;
  readonly likeCount: number;
  readonly author: { readonly userId: string; readonly name: string; readonly followerCount: number };
}

/** The tweets of an answer to `ALL`, by id. */
export function tweetsIn({ data, errors }: Answer): Map<string, Shown> {
  expect(errors).toEqual([]);
  return new Map((data as { nodes: Shown[] }).nodes.map((shown) => [shown.tweetId, shown]));
}

/** How many keys of each statement the cache answered. */
export function keptIn({ reads }: Answer): Record<string, number> {
  return Object.fromEntries(
    reads.flatMap(({ statement, keys, cached }) => (cached ? [[statement, keys]] : [])),
  );
}

/** Repeats something until it succeeds. */
export async function until(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone()));
}
