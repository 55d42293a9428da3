import { buckets, EVERYBODY } from '../../src/kit/data/buckets';
import { removalOf, writeOf } from '../../src/kit/data/write';
import { bucketOf as areaBucketOf } from '../../src/map/area-buckets';
import { cellOf, GRIDS } from '../../src/map/cells';
import { tweetsByArea } from '../../src/map/map.table';
import { rankings } from '../../src/ranking/ranking.table';
import { ownerOf } from '../../src/search/term-owner';
import { type TermIndex, tweetsByHashtag, tweetsByWord } from '../../src/search/term.table';
import { tweets } from '../../src/tweet/tweet.table';
import { idOf, momentOf, month, monthRow, ofQuery, ofUser, tweetRow, type Listed, year } from './items';

/** The word that all have. */
const WORD = 'spring';

/** What is found by a word or hashtag: its tweet, and a row that points to it. */
const ofTerm = (field: string, list: TermIndex['newest'], ask: Listed['ask']): Listed => ({
  field,
  ask,
  forwardsOnly: true,
  put: (n) => [
    writeOf(tweets, tweetRow(n, '2')),
    writeOf(list, { term: WORD, ...year(n), tweetId: idOf(n) }),
    writeOf(buckets, { owner: ownerOf(WORD), list: list.name, ...year(n) }),
  ],
  // Now and then it is the tweet that is gone, with the row still on its way out.
  remove: (n) =>
    n % 3 === 0
      ? [removalOf(tweets, { tweetId: idOf(n) })]
      : [removalOf(list, { term: WORD, ...year(n), tweetId: idOf(n) })],
});

const areaKeys = (n: number) =>
  GRIDS.map((grid) => ({
    cell: cellOf(grid, 1.5, 1.5),
    bucket: areaBucketOf(grid, momentOf(n)),
    createdAt: momentOf(n),
    tweetId: idOf(n),
  }));

/** The lists of what was searched for, and of rankings. */
export const foundLists: readonly Listed[] = [
  ofTerm(
    'Query.searchTweets',
    tweetsByWord,
    ofQuery(`searchTweets(words: "${WORD}", order: NEWEST, PAGE)`, 'tweetId'),
  ),
  ofTerm('Hashtag.tweets', tweetsByHashtag, (page) =>
    ofUser('tweets', 'tweetId')(page).replace('user(username: "ada")', `user: hashtag(name: "#${WORD}")`),
  ),
  {
    field: 'Query.tweetsInArea',
    ask: ofQuery(
      'tweetsInArea(area: { south: 1, west: 1, north: 2, east: 2 }, from: "2025-01-01T00:00:00Z", to: "2027-01-01T00:00:00Z", PAGE)',
      'tweetId',
    ),
    forwardsOnly: true,
    put: (n) => [
      writeOf(tweets, tweetRow(n, '2')),
      ...areaKeys(n).flatMap((key) => [
        writeOf(tweetsByArea, { ...key, latitude: 1.5, longitude: 1.5 }),
        writeOf(buckets, { owner: key.cell, list: tweetsByArea.name, bucket: key.bucket }),
      ]),
    ],
    remove: (n) =>
      n % 3 === 0
        ? [removalOf(tweets, { tweetId: idOf(n) })]
        : areaKeys(n).map((key) => removalOf(tweetsByArea, key)),
  },
  {
    field: 'Query.rankings',
    ask: ofQuery(
      'rankings(kind: TOP_ACCOUNTS, from: "2025-01-01T00:00:00Z", to: "2027-01-01T00:00:00Z", PAGE)',
      'takenAt',
    ),
    forwardsOnly: true,
    put: (n) => [
      writeOf(rankings, { ...month(n), takenAt: momentOf(n) }),
      monthRow(rankings.name, EVERYBODY, n),
    ],
    remove: (n) => [removalOf(rankings, { ...month(n), takenAt: momentOf(n) })],
  },
];
