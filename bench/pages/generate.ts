import type { Like } from '../../src/import/store/likes';
import type { FollowRecord, ImportRecord, TweetRecord, UserRecord } from '../../src/import/records/record';
import { snowflakeAt } from '../../src/kit/base/snowflake';
import { drawHashtag, drawRank, hashtagAt, wordAt } from '../tweets/vocabulary';

const DAY = 86_400_000;
const MONTH = 30 * DAY;

/** How many months of history the oldest accounts have. */
const MONTHS = 48;
/** The median of the tweets that a person posts in a month. */
const MEDIAN_TWEETS = 2;
/** The most tweets that a person posts in a month. */
const MAX_TWEETS = 200;
/** About how many tweets a person has: five a month on average, for half of the months. */
const TWEETS_EACH = 5 * (MONTHS / 2);
/** The median of the accounts that a person follows, and the most. */
const MEDIAN_FOLLOWING = 12;
const MAX_FOLLOWING = 300;
/** One in this many tweets has a hashtag. */
const TAGGED_ONE_IN = 7;
/** One in this many tweets has rows of likes; the others have imported counts only, because likes take long to store. */
const LIKED_ONE_IN = 8;
const MAX_LIKES = 200;

/** A generated network of all kinds of people. */
interface PeopleNetwork {
  readonly people: number;
  readonly records: readonly ImportRecord[];
  /** The likes of each tweet that has some. */
  readonly likes: readonly (readonly Like[])[];
}

interface Person {
  readonly user: UserRecord & { readonly userId: string; readonly createdAt: Date };
  readonly tweetsEachMonth: number;
}

/**
 * Generates people with about `tweets` tweets until `end`. They joined at any time in four years. By power laws: the tweets
 * a month of a person (half of them post two or fewer), the followers, the accounts that they follow, the likes of a tweet.
 */
export function generatePeople(tweets: number, end: Date, random: () => number): PeopleNetwork {
  const people = Math.max(20, Math.ceil(tweets / TWEETS_EACH));
  const everybody = Array.from({ length: people }, (_, n) => personOf(n, end, random));
  const posted = tweetsOf(everybody, end, random);
  const records = [
    ...everybody.map(({ user }) => user),
    ...everybody.flatMap((person) => followsOf(person, everybody, end, random)),
    ...posted,
  ];
  const liked = posted.filter((_, n) => n % LIKED_ONE_IN === 0);
  return { people, records, likes: liked.map((tweet) => likesOf(tweet, everybody, end, random)) };
}

/** Draws from a power law (Pareto) with this median and exponent: the smaller the exponent, the more extreme values. */
export function drawPareto(random: () => number, middle: number, exponent: number): number {
  return middle * (2 * (1 - random())) ** (-1 / exponent);
}

function personOf(n: number, end: Date, random: () => number): Person {
  const createdAt = new Date(Number(end) - Math.floor(random() * MONTHS * MONTH));
  const user = {
    kind: 'user',
    userId: String(1_000_000_000 + n),
    username: `person${n}`,
    name: `Person ${n}`,
    onTwitter: false,
    createdAt,
  } as const;
  return { user, tweetsEachMonth: Math.min(MAX_TWEETS, drawPareto(random, MEDIAN_TWEETS, 1.2)) };
}

/** The first people of the list have the most followers. */
function followsOf(
  { user }: Person,
  everybody: readonly Person[],
  end: Date,
  random: () => number,
): FollowRecord[] {
  const wanted = Math.min(drawPareto(random, MEDIAN_FOLLOWING, 1.5), MAX_FOLLOWING, everybody.length / 2);
  const followees = new Set<Person>();
  for (let tries = 0; followees.size < wanted && tries < wanted * 5; tries++) {
    const followee = everybody[Math.floor(random() ** 3 * everybody.length)];
    if (followee && followee.user !== user) followees.add(followee);
  }
  return [...followees].map((followee) => {
    const since = Math.max(Number(user.createdAt), Number(followee.user.createdAt));
    return {
      kind: 'follow',
      follower: { userId: user.userId },
      followee: { userId: followee.user.userId },
      followedAt: new Date(since + Math.floor(random() * (Number(end) - since))),
    };
  });
}

/** The tweets of all people in order of time; a fifth of them are replies to earlier ones. */
function tweetsOf(everybody: readonly Person[], end: Date, random: () => number): TweetRecord[] {
  const moments = everybody.flatMap(({ user, tweetsEachMonth }) => {
    const length = Number(end) - Number(user.createdAt);
    const count = Math.floor((length / MONTH) * tweetsEachMonth + random());
    return Array.from({ length: count }, () => ({ user, at: Number(user.createdAt) + random() * length }));
  });
  const tweets: TweetRecord[] = [];
  for (const [n, { user, at }] of moments.sort((a, b) => a.at - b.at).entries()) {
    const createdAt = new Date(Math.floor(at));
    const tweetId = snowflakeAt(createdAt, BigInt(n % 4_000_000)) ?? '';
    const hashtags = n % TAGGED_ONE_IN === 0 ? [hashtagAt(drawHashtag(random))] : [];
    const words = Array.from({ length: 8 }, () => wordAt(drawRank(random)));
    const content = [...words, ...hashtags.map((tag) => `#${tag}`)].join(' ');
    const inReplyToId = random() < 0.2 ? repliedIn(tweets, random) : undefined;
    tweets.push({
      kind: 'tweet',
      tweetId,
      author: { userId: user.userId },
      content,
      createdAt,
      language: 'en',
      hashtags,
      mentions: [],
      ...(inReplyToId !== undefined && { inReplyToId }),
      ...(n % LIKED_ONE_IN !== 0 && { likeCount: likesDrawn(random) }),
      raw: JSON.stringify({ id_str: tweetId, text: content }),
    });
  }
  return tweets;
}

/** A tweet to reply to, most often a recent one. Half of the replies go to one tweet in a hundred. */
function repliedIn(tweets: readonly TweetRecord[], random: () => number): string | undefined {
  const index = Math.floor((1 - random() ** 2) * tweets.length);
  return tweets[random() < 0.5 ? index : index - (index % 100)]?.tweetId;
}

function likesDrawn(random: () => number): number {
  return Math.min(MAX_LIKES, Math.floor((1 - random()) ** (-2 / 3)) - 1);
}

function likesOf(
  { tweetId, createdAt }: TweetRecord,
  everybody: readonly Person[],
  end: Date,
  random: () => number,
): Like[] {
  const wanted = Math.min(likesDrawn(random), everybody.length / 2);
  const likers = new Set<string>();
  for (let tries = 0; likers.size < wanted && tries < wanted * 5; tries++)
    likers.add(everybody[Math.floor(random() ** 2 * everybody.length)]?.user.userId ?? '');
  const length = Math.min(30 * DAY, Number(end) - Number(createdAt));
  return [...likers].map((userId) => ({
    tweetId,
    userId,
    likedAt: new Date(Number(createdAt) + 1 + Math.floor(random() ** 3 * length)),
  }));
}
