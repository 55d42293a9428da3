import { type Random, randomFrom } from '../../src/kit/base/random';
import { snowflakeAt } from '../../src/kit/base/snowflake';
import type { ImportRecord, TweetRecord } from '../../src/import/records/record';
import { findHashtags, findMentions } from '../../src/write/tweet/text';
import { between, chance, pickOne } from '../crash/random';

const PEOPLE = 12;

const CROWD = 200;

const BEGIN = Date.UTC(2023, 10, 20);

const DAYS = 900;

const phrases = [
  'Guten Morgen, die Straße ist naß',
  'GÜNAYDIN İstanbul, ışık ve Isparta',
  'günaydın istanbul',
  'صباح الخير يا بيروت، مُحَمَّد كتب',
  'اليوم محمد في بيروت',
  '今日は東京タワーに行きました',
  '東京で寿司を食べた',
  'Crème brûlée & café au lait, s’il vous plaît',
  'creme brulee, sil vous plait',
  'ΟΔΟΣ και οδός',
  'ﬁne ｆｕｌｌ ﬂow, e-mail me',
  'don’t panic, it costs $3.50',
  'Привет мир, ещё раз',
];

const tags = ['#Weather', '#weather', '#東京', '#صباح_الخير', '#Straße', '#İstanbul', '#a1', '＃wide'];

const links = ['https://t.co/abc123', 'example.com/weather?q=the', 'http://ünïcode.org/naß'];

const corners = [
  [90, 0],
  [-90, 180],
  [0, 180],
  [0, -180],
  [0, 0],
  [45, 90],
  [22.5, -45],
  [1e-20, -1e-20],
  [51.5074, -0.1278],
] as const;

/** Generates a network of tweets with several scripts, signs and links, points at every edge of the map, and a word that most have. */
export function smallNetwork(tweets: number, seed = 3): ImportRecord[] {
  const random = randomFrom(seed);
  const users = Array.from({ length: PEOPLE }, (_, n): ImportRecord => ({
    kind: 'user',
    userId: String(1 + n),
    username: `person_${n}`,
    name: `Person ${n}`,
    onTwitter: false,
    createdAt: new Date(BEGIN),
  }));
  const made: TweetRecord[] = [];
  for (let n = 0; n < tweets; n++) made.push(tweetOf(n, made, random));
  return [...users, ...followsAmong(random), ...made];
}

/** Generates follows among people without profiles: more people than a ranking shows, many with equal scores. */
function followsAmong(random: Random): ImportRecord[] {
  const someone = () => ({ userId: String(100 + Math.floor(random() ** 2 * CROWD)) });
  return Array.from({ length: 8 * CROWD }, () => ({ follower: someone(), followee: someone() }))
    .filter(({ follower, followee }) => follower.userId !== followee.userId)
    .map((follow): ImportRecord => ({ kind: 'follow', ...follow }));
}

function tweetOf(n: number, before: readonly TweetRecord[], random: Random): TweetRecord {
  // Half of the times are at the exact beginning of a minute, so some are equal and some begin a day.
  const minutes = Math.floor(random() ** 3 * DAYS * 1440);
  const createdAt = new Date(BEGIN + minutes * 60_000 + (chance(random, 0.5) ? 0 : random() * 60_000));
  const originals = before.filter(({ sharedTweetId }) => sharedTweetId === undefined);
  const original = chance(random, 0.1) ? pickOne(random, originals) : null;
  const content = original?.content ?? contentOf(n, random);
  const place = chance(random, 0.6) ? placeOf(random) : null;
  const likes = Math.floor(random() ** 6 * 300);
  return {
    kind: 'tweet',
    tweetId: snowflakeAt(createdAt, BigInt(n)) ?? '',
    author: { userId: String(1 + Math.floor(random() * PEOPLE)) },
    content,
    createdAt,
    language: pickOne(random, ['en', 'tr', 'ar', 'ja', 'de', 'und']) ?? 'und',
    hashtags: findHashtags(content),
    mentions: findMentions(content),
    ...(original && { sharedTweetId: original.tweetId }),
    ...(place && { location: place }),
    ...(chance(random, 0.7) && { likeCount: likes }),
    raw: `{"text": ${JSON.stringify(content)}, "id": 12345678901234567890, "likes":${likes}, "of": [1.50, -0.1, 1e3, {"é": null}]}`,
  };
}

function contentOf(n: number, random: Random): string {
  const parts = [
    ...(chance(random, 0.85) ? ['the'] : []),
    pickOne(random, phrases) ?? '',
    ...(chance(random, 0.4) ? [pickOne(random, tags) ?? ''] : []),
    ...(chance(random, 0.2) ? [`@person_${n % PEOPLE}`] : []),
    ...(chance(random, 0.2) ? [pickOne(random, links) ?? ''] : []),
    ...(chance(random, 0.2) ? [`nr${n % 40}`] : []),
  ];
  return parts.join(' ');
}

function placeOf(random: Random) {
  const corner = chance(random, 0.3) ? pickOne(random, corners) : null;
  if (corner) return { latitude: corner[0], longitude: corner[1] };
  if (chance(random, 0.5))
    return { latitude: 48.2 + between(random, -0.05, 0.05), longitude: 16.37 + between(random, -0.05, 0.05) };
  return { latitude: between(random, -90, 90), longitude: between(random, -180, 180) };
}
