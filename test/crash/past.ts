import { snowflakeAt } from '../../src/kit/base/snowflake';
import type { FollowRecord, ImportRecord, TweetRecord, UserRecord } from '../../src/import/records/record';
import type { Client } from './client';
import { tweetById, userByName } from './operations';
import { Violation } from './violation';
import { postOf, spanKey, type World } from './world';

const DAY = 86_400_000;

const BEGIN = Date.UTC(2026, 0, 1);

const POSTS_EACH = 6;

/** How many imported people a round has. They do nothing during it; all others follow the first, and half have posted. */
export const PAST_PEOPLE = 6;

/** The records to import before a round: tweets of some months, with counts to which mutations add. */
export function pastOf(round: number): ImportRecord[] {
  const users = Array.from({ length: PAST_PEOPLE }, (_, n) => userOf(round, n));
  const follows = users.flatMap((user, n) =>
    users.slice(0, Math.min(n, 2)).map((followee, index) => followOf(user, followee, n * 2 + index)),
  );
  const tweets = users
    .slice(0, PAST_PEOPLE / 2)
    .flatMap((user, n) => Array.from({ length: POSTS_EACH }, (_, index) => tweetOf(round, user, n, index)));
  return [...users, ...follows, ...tweets];
}

/** Adds the imported records to the model, with the global ids that the server gives. */
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
  if (view === null) throw new Violation('An imported user must exist', username);
  model.people.set(username, { username, userId: view.userId, id: view.id });
}

function learnFollow(
  { model, spans, importedFollows }: World,
  { follower: { username = '' }, followee, followedAt }: FollowRecord,
): void {
  const time = Number(followedAt);
  model.follows.add(username, followee.username ?? '');
  importedFollows.add(username, followee.username ?? '');
  spans.set(spanKey('follow', username, followee.username ?? ''), { from: time, to: time });
}

async function learnTweet(
  world: World,
  client: Client,
  { tweetId, likeCount = 0, shareCount = 0, replyCount = 0 }: TweetRecord,
): Promise<void> {
  const view = await client.ask(tweetById, { tweetId });
  if (view === null) throw new Violation('An imported tweet must exist', tweetId);
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

/** The imported tweets of an author are about six weeks apart, and no two authors post on the same day. */
function tweetOf(round: number, author: User, n: number, index: number): TweetRecord {
  const createdAt = new Date(BEGIN + (index * 43 + n * 2) * DAY);
  const content = `${author.username} said ${index}`;
  return {
    kind: 'tweet',
    tweetId: snowflakeAt(createdAt, BigInt(round * 64 + n * POSTS_EACH + index)) ?? '',
    author: named(author),
    content,
    createdAt,
    language: 'en',
    hashtags: [],
    mentions: [],
    likeCount: (index * 3 + n) % 5,
    shareCount: (index + n) % 3,
    replyCount: index % 2,
    raw: JSON.stringify({ text: content }),
  };
}

/** A person with id and username, so that later records may use either. */
function named({ userId, username }: User) {
  return { userId, username };
}
