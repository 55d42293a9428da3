import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../src/kit/cassandra/database';
import { readMany } from '../src/kit/reads/load';
import { readTasks, readWindows } from '../src/kit/work/pending';
import { idIn } from '../src/kit/graphql/global-id';
import { timelinesByUser } from '../src/features/timeline/timeline.lists';
import { median, percentile, round, say, type Line, type Section } from './measure';
import { randomFrom } from '../src/kit/base/random';
import { words } from './network';
import { withActors, type Actors } from './actors';
import { headersOfUsers, withDatabase, type Headers, type Stage } from './stage';

const ROUNDS = 20;
const SIZES = [10, 1000, 14_060];
/** Rows in a batch and batches at once; the raw driver uses the fastest of these. */
const WAYS = ['1/256', '10/32', '10/64', '10/128', '20/32', '20/64', '50/32'];
const WAY_ROUNDS = 3;
/** Posts one after another before the others: the first half of them only compiles the code, as the first minute of a server does. */
const QUICK_POSTS = 400;
const BETWEEN_POSTS_MS = 150;

/** Milliseconds until createTweet was answered, and until the last timeline had the tweet. */
interface Taken {
  readonly answered: number;
  readonly whole: number;
}

/** Compares posting with about 10, 1,000 and 14,060 followers, all of whom get a row. */
export async function comparePosts(stage: Stage): Promise<Section> {
  const { keyspace } = await stage.filled();
  const followers = followersIn(stage);
  const authors = SIZES.map((size) => nearest(followers, size));
  const lines = await withDatabase(stage.contactPoint, keyspace, (database) =>
    withActors(stage, keyspace, async (actors) => {
      const headers = await headersOfUsers(database, authors);
      const least = authors[0] ?? '';
      const done: Line[] = [
        await quickLine(actors, least, headers.get(least) ?? {}, stage.brief ? 6 : QUICK_POSTS),
      ];
      const best = await bestWay(actors, authors.at(-1) ?? '', stage.brief ? 1 : WAY_ROUNDS);
      for (const authorId of authors) {
        const all = followers.get(authorId) ?? [];
        const rounds = stage.brief ? 3 : ROUNDS;
        say(`Posting for ${all.length} followers`);
        const post = async () => {
          // Tweets that come soon after another one are counted together, a moment later. The raw driver does not count.
          await sleep(BETWEEN_POSTS_MS);
          return postByOurs(database, actors, headers.get(authorId) ?? {});
        };
        const first = await post();
        await checkAllHaveIt(database, first.tweetId, all);
        const ours: Taken[] = [];
        const raw: Taken[] = [];
        for (let roundNumber = 0; roundNumber < rounds; roundNumber++) {
          ours.push(await post());
          raw.push(await postByRaw(actors, authorId, best));
        }
        done.push(lineOf(all.length, ours, raw, first, best));
      }
      return done;
    }),
  );
  return { title: 'createTweet: milliseconds', lines };
}

/** Posts one tweet after another, while the work behind the answer of those before goes on. */
async function quickLine(actors: Actors, authorId: string, headers: Headers, posts: number): Promise<Line> {
  say(`Posting ${posts} tweets one after another`);
  const [ours, raw]: [number[], number[]] = [[], []];
  for (let n = 0; n < posts; n++) ours.push((await answerOfOurs(actors, headers)).answered);
  for (let n = 0; n < posts; n++) raw.push((await postByRaw(actors, authorId, '10/64')).answered);
  const [warm, rawWarm] = [ours.slice(posts / 2), raw.slice(posts / 2)];
  return {
    followers: 'one after another',
    calls: warm.length,
    'answer p50': round(median(warm), 1),
    'answer p95': round(percentile(warm, 0.95), 1),
    'raw answer p50': round(median(rawWarm), 1),
  };
}

function lineOf(followers: number, ours: Taken[], raw: Taken[], first: Taken, best: string): Line {
  const answers = ours.map(({ answered }) => answered);
  const [whole, rawWhole] = [median(ours.map((one) => one.whole)), median(raw.map((one) => one.whole))];
  return {
    followers,
    calls: ours.length,
    'answer p50': round(median(answers), 1),
    'answer p95': round(percentile(answers, 0.95), 1),
    'raw answer p50': round(median(raw.map(({ answered }) => answered)), 1),
    'in all timelines': round(whole, 1),
    'raw in all': round(rawWhole, 1),
    'ours : raw': round(whole / rawWhole),
    'first of a month': round(first.whole, 1),
    'raw rows/at once': best,
  };
}

let posted = 0;
const random = randomFrom(3);

/** Posts a tweet, and returns its id and after how many milliseconds that was answered. */
export async function answerOfOurs({ ours }: Pick<Actors, 'ours'>, headers: Headers) {
  const source =
    'mutation ($input: CreateTweetInput!) { createTweet(input: $input) { tweet { id content createdAt } } }';
  const input = { content: `${words(random)} ${words(random)} #bench ${posted++}`, language: 'en' };
  const started = performance.now();
  const response = await fetch(`http://127.0.0.1:${ours}/graphql`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ query: source, variables: { input } }),
  });
  const { data } = (await response.json()) as { data: { createTweet: { tweet: { id: string } } } };
  const tweetId = idIn('Tweet', data.createTweet.tweet.id);
  return { started, answered: performance.now() - started, tweetId };
}

/** Posts a tweet and waits until the outbox has no tasks left: then all rows are written. */
export async function postByOurs(database: Database, actors: Actors, headers: Headers) {
  const { started, answered, tweetId } = await answerOfOurs(actors, headers);
  return { answered, tweetId, whole: await untilAllIsDone(database, started) };
}

/** Waits until the outbox has no tasks left. Resolves to how many milliseconds have passed since a moment. */
export async function untilAllIsDone(database: Database, started: number): Promise<number> {
  const open = await readWindows(database);
  for (;;) {
    const left = await readTasks(database, open);
    const whole = performance.now() - started;
    if (left.length === 0) return whole;
    // A pause of 2 % of the time so far is precise enough; reading more often would slow down what is measured.
    await sleep(Math.max(1, whole / 50));
  }
}

async function postByRaw({ raw }: Actors, authorId: string, way: string): Promise<Taken> {
  const response = await fetch(`http://127.0.0.1:${raw}/post/${authorId}/${way}`);
  return (await response.json()) as Taken;
}

async function bestWay(actors: Actors, authorId: string, rounds: number): Promise<string> {
  const taken = new Map(WAYS.map((way) => [way, [] as number[]]));
  for (let roundNumber = 0; roundNumber <= rounds; roundNumber++) {
    for (const [way, times] of taken) {
      const { whole } = await postByRaw(actors, authorId, way);
      if (roundNumber > 0) times.push(whole);
    }
  }
  const ways = [...taken].map(([way, times]) => ({ way, time: median(times) }));
  for (const { way, time } of ways)
    say(`Raw fan-out by batches of rows/at once ${way}: ${round(time, 0)} ms`);
  return ways.toSorted((a, b) => a.time - b.time)[0]?.way ?? '';
}

/** Checks that all followers have the tweet; otherwise the times would mean nothing. */
async function checkAllHaveIt(
  database: Database,
  tweetId: string,
  followers: readonly string[],
): Promise<void> {
  const keys = followers.map((userId) => ({ userId, bucket: 0, tweetId }));
  const missing = (await readMany(database, timelinesByUser.get, keys)).filter((row) => row === null);
  if (missing.length > 0)
    throw new Error(`All ${followers.length} timelines must have the tweet, but ${missing.length} have not`);
}

/** The followers of each author of the network. */
export function followersIn({ network }: Stage): Map<string, string[]> {
  const followers = new Map<string, string[]>();
  for (const [follower, followee] of network.edges) {
    const known = followers.get(followee);
    if (known) known.push(follower);
    else followers.set(followee, [follower]);
  }
  return followers;
}

/** The author whose number of followers is nearest to a size. */
export function nearest(followers: ReadonlyMap<string, readonly string[]>, size: number): string {
  let found = '';
  const distance = (authorId: string) => Math.abs((followers.get(authorId)?.length ?? Infinity) - size);
  for (const authorId of followers.keys()) if (distance(authorId) < distance(found)) found = authorId;
  return found;
}
