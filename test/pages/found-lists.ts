import { buckets, EVERYBODY } from '../../src/kit/lists/buckets';
import { removalOf, writeOf } from '../../src/kit/cassandra/write';
import { addEntryWrite } from '../../src/kit/postings/unsealed';
import { areaBucketAt as areaBucketOf, cellAt, GRIDS, ownerIn } from '../../src/features/map/cells';
import { tweetsByArea } from '../../src/features/map/map.table';
import { rankings } from '../../src/features/ranking/ranking.table';
import { hashtagTerm } from '../../src/features/search/terms';
import { TWEETS } from '../../src/features/search/tweet-index';
import { tweets } from '../../src/features/tweet/tweet.table';
import { idOf, momentOf, month, monthRow, ofQuery, ofUser, tweetRow, type Listed } from './items';

/** The word that all have. */
const WORD = 'spring';

/** What is found by a word or hashtag: its tweet, and an entry that points to it. */
const ofTerm = (field: string, term: string, ask: Listed['ask']): Listed => ({
  field,
  ask,
  forwardsOnly: true,
  put: (n) => [
    writeOf(tweets, tweetRow(n, '2')),
    addEntryWrite({ list: TWEETS, parts: 1 }, { rank: 0, id: idOf(n), terms: [term] }),
  ],
  remove: (n) => [removalOf(tweets, { tweetId: idOf(n) })],
});

const areasOf = (n: number) =>
  GRIDS.map((grid) => ({ owner: cellAt(grid, 1.5, 1.5), bucket: areaBucketOf(grid, momentOf(n)) }));
const areaKeys = (n: number) =>
  areasOf(n).map(({ owner, bucket }) => ({
    cell: ownerIn(owner, bucket),
    createdAt: momentOf(n),
    tweetId: idOf(n),
  }));

/** The lists of what was searched for, and of rankings. */
export const foundLists: readonly Listed[] = [
  ofTerm(
    'Query.searchTweets',
    WORD,
    ofQuery(`searchTweets(words: "${WORD}", order: NEWEST, PAGE)`, 'tweetId'),
  ),
  ofTerm('Hashtag.tweets', hashtagTerm(WORD), (page) =>
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
      ...areaKeys(n).map((key) => writeOf(tweetsByArea, { ...key, latitude: 1.5, longitude: 1.5 })),
      ...areasOf(n).map((area) => writeOf(buckets, { ...area, list: tweetsByArea.name })),
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
