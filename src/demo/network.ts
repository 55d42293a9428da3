import { randomFrom, type Random } from '../kit/base/random';
import type { FollowRecord, ImportRecord, TweetRecord, UserRecord } from '../import/records/record';
import { snowflakeAt } from '../kit/base/snowflake';
import { findHashtags, findMentions } from '../write/tweet/text';
import { cities, languages, names } from './words';

const DAY = 86_400_000;

/** The last moment of the demo, in milliseconds since 1970. */
export const END = Date.UTC(2026, 9, 31, 23, 30);

/** The user id of the demo's first person, `ada`. */
export const ADA = demoUserId(0);

/** How many people the demo network has by default. */
export const PEOPLE = 500;

/** The size of a demo network, and the seed of its random numbers. */
interface DemoOptions {
  readonly people?: number;
  readonly tweets?: number;
  readonly seed?: number;
}

/** Generates a made-up network: profiles, then follows, then tweets in order of time. The same options give the same network. */
export function* demoNetwork({
  people = PEOPLE,
  tweets = 5000,
  seed = 7,
}: DemoOptions = {}): Generator<ImportRecord> {
  const random = randomFrom(seed);
  const users = Array.from({ length: people }, (_, n) => makeUser(n, random));
  yield* users;
  yield* followsAmong(users, random);
  yield* tweetsBy(users, tweets, random);
}

type DemoUser = UserRecord & { readonly userId: string; readonly username: string; readonly createdAt: Date };

/** Picks a random element. */
export function pickOne<const T extends readonly [unknown, ...unknown[]]>(
  random: Random,
  from: T,
): T[number] {
  return from[Math.floor(random() * from.length)] ?? from[0];
}

/** The snowflake id of something created at `time`, in milliseconds since 1970. */
export function idAt(time: number, sequence: number): string {
  return snowflakeAt(new Date(time), BigInt(sequence)) ?? '';
}

function joinedAt(n: number): number {
  return END - 3 * 365 * DAY + n * DAY;
}

/** The id of the nth person, counted from 0; the first is `ada`. */
export function demoUserId(n: number): string {
  return idAt(joinedAt(n), n);
}

function makeUser(n: number, random: Random): DemoUser {
  const [given, family] =
    n === 0 ? ['Ada', 'Byron'] : [pickOne(random, names.given), pickOne(random, names.family)];
  return {
    kind: 'user',
    userId: demoUserId(n),
    username: n === 0 ? 'ada' : `${given}_${family}${n}`.toLowerCase(),
    name: `${given} ${family}`,
    description: `${pickOne(random, languages).bio} #${pickOne(random, languages).tags[0]}`,
    onTwitter: random() < 0.3,
    createdAt: new Date(joinedAt(n)),
  };
}

/** Earlier accounts get more followers, so that a few accounts have many. */
function* followsAmong(users: readonly DemoUser[], random: Random): Generator<FollowRecord> {
  for (const [n, follower] of users.entries()) {
    const followees = new Set<DemoUser>();
    const wanted = Math.min(n === 0 ? 120 : 8 + Math.floor(random() ** 3 * 80), users.length - 1);
    for (let tries = 0; followees.size < wanted && tries < wanted * 20; tries++) {
      const followee = users[Math.floor(random() ** 2 * users.length)];
      if (followee && followee !== follower) followees.add(followee);
    }
    for (const followee of followees) {
      const since = Math.max(follower.createdAt.getTime(), followee.createdAt.getTime());
      const followedAt = new Date(since + Math.floor(random() * (END - since)));
      yield {
        kind: 'follow',
        follower: { userId: follower.userId },
        followee: { userId: followee.userId },
        followedAt,
      };
    }
  }
}

/**
 * How much people like a tweet, from 1 up: by a power law with exponent 1.5, so that one in a thousand is 100 or more. The
 * same id always gives the same number.
 */
export function rateAppeal(tweetId: string): number {
  const random = randomFrom(Number(BigInt.asUintN(32, BigInt(tweetId))));
  return (1 - random()) ** (-2 / 3);
}

function* tweetsBy(users: readonly DemoUser[], count: number, random: Random): Generator<TweetRecord> {
  const before: TweetRecord[] = [];
  const shares = new Set<string>();
  for (let n = 0; n < count; n++) {
    const author = n % 80 === 0 ? users[0] : users[Math.floor(random() ** 1.5 * users.length)];
    const time = END - Math.floor((1 - n / count) ** 2 * 365 * DAY) - Math.floor(random() * 1000);
    if (!author) continue;
    const plain: Plain = {
      kind: 'tweet',
      tweetId: idAt(time, n),
      author: { userId: author.userId },
      createdAt: new Date(time),
    };
    const tweet = makeTweet(plain, before, shares, random);
    before.push(tweet);
    yield tweet;
  }
}

type Plain = Pick<TweetRecord, 'kind' | 'tweetId' | 'createdAt'> & {
  readonly author: { readonly userId: string };
};

/** A tweet of one of four sorts: a share of a tweet in `before` (10%), a reply (20%), a quote (6%), else a tweet on its own. */
function makeTweet(
  plain: Plain,
  before: readonly TweetRecord[],
  shares: Set<string>,
  random: Random,
): TweetRecord {
  const sort = random();
  if (sort < 0.1) {
    const original = mostAppealing(Array.from({ length: 10 }, () => earlierIn(before, random)));
    const share = `${plain.author.userId} ${original?.tweetId ?? ''}`;
    if (original && !shares.has(share)) {
      shares.add(share);
      const { content, language, hashtags, mentions } = original;
      return {
        ...plain,
        content,
        language,
        hashtags,
        mentions,
        raw: makeRaw(plain, content),
        sharedTweetId: original.tweetId,
      };
    }
  }
  const earlier = earlierIn(before, random);
  const language = pickOne(random, languages);
  const tag = random() < 0.5 ? ` #${pickOne(random, language.tags)}` : '';
  const content = `${pickOne(random, language.openings)} ${pickOne(random, language.endings)}${tag}`;
  const city = pickOne(random, cities);
  const jitter = () => Math.round((random() - 0.5) * 1000) / 10_000;
  return {
    ...plain,
    content,
    language: language.code,
    hashtags: findHashtags(content),
    mentions: findMentions(content),
    raw: makeRaw(plain, content),
    ...(random() < 0.25 && {
      location: {
        latitude: city.latitude + jitter(),
        longitude: city.longitude + jitter(),
        country: city.country,
      },
    }),
    ...(earlier && sort >= 0.1 && sort < 0.3 && { inReplyToId: earlier.tweetId }),
    ...(earlier && sort >= 0.3 && sort < 0.36 && { quotedTweetId: earlier.tweetId }),
  };
}

function makeRaw({ tweetId }: Plain, content: string): string {
  return JSON.stringify({ id_str: tweetId, text: content });
}

/** An earlier tweet, most often a recent one; undefined if it is a share or there is none. */
function earlierIn(before: readonly TweetRecord[], random: Random): TweetRecord | undefined {
  const earlier = before[Math.floor((1 - random() ** 2) * before.length)];
  return earlier?.sharedTweetId === undefined ? earlier : undefined;
}

function mostAppealing(tweets: readonly (TweetRecord | undefined)[]): TweetRecord | undefined {
  const known = tweets.flatMap((tweet) => tweet ?? []);
  return known.toSorted((a, b) => rateAppeal(b.tweetId) - rateAppeal(a.tweetId))[0];
}
