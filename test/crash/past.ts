import { snowflakeAt } from '../../src/kit/base/snowflake';
import type { FollowRecord, ImportRecord, TweetRecord, UserRecord } from '../../src/import/records/record';
import type { Client } from './client';
import { tweetById, userByName } from './operations';
import { Violation } from './violation';
import { postOf, spanKey, type World } from './world';

const DAY = 86_400_000;

const BEGIN = Date.UTC(2026, 0, 1);

const POSTS_EACH = 6;

/** People of a round who do nothing now: the first is followed by all others, and half of them have posted. */
export const PAST_PEOPLE = 6;

/** What was before a round: imported, with counts that acts add to, over some months. */
export function pastOf(round: number): ImportRecord[] {
  const users = Array.from({ length: PAST_PEOPLE }, (_, n) => userOf(round, n));
  const follows = users.flatMap((user, n) =>
    users.slice(0, Math.min(n, 2)).map((followee, place) => followOf(user, followee, n * 2 + place)),
  );
  const tweets = users
    .slice(0, PAST_PEOPLE / 2)
    .flatMap((user, n) => Array.from({ length: POSTS_EACH }, (_, place) => tweetOf(round, user, n, place)));
  return [...users, ...follows, ...tweets];
}

/** Tells the model what was imported, with the global ids that the server gave. */
export async function learnPast(
  world: World,
  client: Client,
  records: readonly ImportRecord[],
): Promise<void> {
  for (const record of records) {
    switch (record.kind) {
      case 'user':
        await learnUser(world, client, record);
        break;
      case 'follow':
        learnFollow(world, record);
        break;
      case 'tweet':
        await learnTweet(world, client, record);
    }
  }
}

async function learnUser({ model }: World, client: Client, { username = '' }: UserRecord): Promise<void> {
  const view = await client.ask(userByName, { username });
  if (view === null) throw new Violation('Who was imported must be there', username);
  model.people.set(username, { username, userId: view.userId, id: view.id });
}

function learnFollow(
  { model, spans }: World,
  { follower: { username = '' }, followee, followedAt }: FollowRecord,
): void {
  const time = Number(followedAt);
  model.follows.add(username, followee.username ?? '');
  spans.set(spanKey('follow', username, followee.username ?? ''), { from: time, to: time });
}

async function learnTweet(
  world: World,
  client: Client,
  { tweetId, likeCount = 0, shareCount = 0, replyCount = 0 }: TweetRecord,
): Promise<void> {
  const view = await client.ask(tweetById, { tweetId });
  if (view === null) throw new Violation('What was imported must be there', tweetId);
  world.addPost({ ...postOf(view), base: { likeCount, shareCount, replyCount } });
}

type User = UserRecord & { readonly userId: string; readonly username: string };

function userOf(round: number, n: number): User {
  const username = `past${round}_${n}`;
  return {
    kind: 'user',
    userId: String(1000 + round * 100 + n),
    username,
    name: `The ${username}`,
    onTwitter: false,
    createdAt: new Date(BEGIN - DAY),
  };
}

function followOf(follower: User, followee: User, minute: number): FollowRecord {
  return {
    kind: 'follow',
    follower: named(follower),
    followee: named(followee),
    followedAt: new Date(BEGIN + minute * 60_000),
  };
}

/** One in about six weeks, each author's on days of its own. */
function tweetOf(round: number, author: User, n: number, place: number): TweetRecord {
  const createdAt = new Date(BEGIN + (place * 43 + n * 2) * DAY);
  const content = `${author.username} said ${place}`;
  return {
    kind: 'tweet',
    tweetId: snowflakeAt(createdAt, BigInt(round * 64 + n * POSTS_EACH + place)) ?? '',
    author: named(author),
    content,
    createdAt,
    language: 'en',
    hashtags: [],
    mentions: [],
    likeCount: (place * 3 + n) % 5,
    shareCount: (place + n) % 3,
    replyCount: place % 2,
    raw: JSON.stringify({ text: content }),
  };
}

/** By number and name, as each later record may name them. */
function named({ userId, username }: User) {
  return { userId, username };
}
