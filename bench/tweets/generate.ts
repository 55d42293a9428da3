import { snowflakeAt } from '../../src/kit/base/snowflake';
import type { FollowRecord, ImportRecord, TweetRecord, UserRecord } from '../../src/import/records/record';
import { drawPlace } from './places';
import { drawHashtag, drawRank, hashtagAt, lonelyWordsOf, wordAt } from './vocabulary';

const DAY = 86_400_000;

/** The number of days over which tweets are spread evenly, however many there are. */
const SPAN_DAYS = 3 * 365;

/** The average number of tweets of a person. */
const TWEETS_EACH = 20;

/** Enough for a ranking of a hundred. */
const MIN_PEOPLE = 200;

/** How many others a person follows at most. */
const MAX_FOLLOWED = 9;

/** How many diarists there are: people whose tweets are all in one month, so that one partition has a page of them. */
export const DIARISTS = 5;

/** How many tweets each diarist has. */
const TWEETS_PER_DIARY = 101;

const languages = ['en', 'en', 'en', 'en', 'ja', 'ja', 'es', 'es', 'tr', 'pt', 'ar', 'fr', 'de'] as const;

/** What to generate. */
export interface GenerateOptions {
  readonly tweets: number;
  /** The moment of the last tweet. */
  readonly end: Date;
  readonly random: () => number;
  /** Makes the text of a tweet of the ranks of its words; words between spaces by default. */
  readonly textOf?: typeof spacedText;
}

/** The id of the n-th person, counted from 0. */
export function personId(n: number): string {
  return String(1_000_000_000 + n);
}

/** How many people a network with `tweets` tweets has, besides the diarists. */
export function peopleOf(tweets: number): number {
  return Math.max(MIN_PEOPLE, Math.ceil(tweets / TWEETS_EACH));
}

/** Generates people, their follows, the diaries, and the tweets in order of time. */
export function* generate(options: GenerateOptions): Generator<ImportRecord> {
  const { tweets, end, random, textOf } = options;
  const people = peopleOf(tweets);
  for (let n = 0; n < people; n++) yield userOf(n);
  for (let n = 0; n < people; n++) yield* followsOf(n, people, random);
  yield* diariesOf(options);
  const start = Number(end) - SPAN_DAYS * DAY;
  for (let n = 0; n < tweets; n++) {
    const at = start + ((n + random()) / tweets) * SPAN_DAYS * DAY;
    const author = Math.floor(random() ** 1.5 * people);
    yield tweetOf(personId(author), new Date(at), n, random, textOf);
  }
}

/** The id of the n-th diarist, counted from 0. */
export function diaristId(n: number): string {
  return personId(900_000_000 + n);
}

/** The beginning of the diaries: that of the first whole month of the span. */
function diaryStart(end: Date): Date {
  const start = new Date(Number(end) - SPAN_DAYS * DAY);
  return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1));
}

function* diariesOf({ end, random }: GenerateOptions): Generator<ImportRecord> {
  const start = Number(diaryStart(end));
  for (let n = 0; n < DIARISTS; n++) yield { ...userOf(n), userId: diaristId(n), username: `diarist${n}` };
  for (let n = 0; n < DIARISTS * TWEETS_PER_DIARY; n++) {
    const at = new Date(start + (n / TWEETS_PER_DIARY / DIARISTS) * 27 * DAY);
    yield tweetOf(diaristId(n % DIARISTS), at, 4_000_000 + n, random);
  }
}

function userOf(n: number): UserRecord {
  return {
    kind: 'user',
    userId: personId(n),
    username: `person${n}`,
    name: `Person ${wordAt(n + 1)}`,
    onTwitter: false,
    createdAt: new Date(Date.UTC(2020, 0, 1) + n * 1000),
  };
}

/** Each person follows a few others. Early accounts get many more followers, so that there are top accounts. */
function* followsOf(n: number, people: number, random: () => number): Generator<FollowRecord> {
  const followees = new Set<number>();
  const wanted = 1 + Math.floor(random() * MAX_FOLLOWED);
  for (let tries = 0; tries < wanted; tries++) followees.add(Math.floor(random() ** 3 * people));
  followees.delete(n);
  const follower = { userId: personId(n) };
  for (const followee of followees)
    yield { kind: 'follow', follower, followee: { userId: personId(followee) } };
}

function spacedText(ranks: readonly number[], _random: () => number): string {
  return ranks.map(wordAt).join(' ');
}

function tweetOf(
  userId: string,
  createdAt: Date,
  sequence: number,
  random: () => number,
  textOf = spacedText,
): TweetRecord {
  const length = 8 + Math.floor(random() * 9);
  const ranks = Array.from({ length }, () => drawRank(random));
  const tags = random() < 0.15 ? 1 + Math.floor(random() * 2) : 0;
  const hashtags = [...new Set(Array.from({ length: tags }, () => hashtagAt(drawHashtag(random))))];
  const text = textOf(ranks, random);
  const content = [text, ...lonelyWordsOf(sequence), ...hashtags.map((tag) => `#${tag}`)].join(' ');
  const tweetId = snowflakeAt(createdAt, BigInt(sequence)) ?? '';
  const location = random() < 0.2 ? drawPlace(random) : undefined;
  // Pareto's law: half of the tweets have no like or one, and one in ten thousand has thousands.
  const likeCount = Math.min(1_000_000, Math.floor((1 - random()) ** -0.9) - 1);
  const language = languages[Math.floor(random() * languages.length)] ?? 'en';
  return {
    kind: 'tweet',
    tweetId,
    author: { userId },
    content,
    createdAt,
    language,
    ...(location && { location }),
    hashtags,
    mentions: [],
    likeCount,
    shareCount: 0,
    replyCount: 0,
    raw: JSON.stringify({ id_str: tweetId, text: content, lang: language, favorite_count: likeCount }),
  };
}
