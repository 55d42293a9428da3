import { decodePosted, encodePosted } from '../../src/write/tweet/post-tweet';
import { tweets } from '../../src/features/tweet/tweet.table';
import { plain } from '../support/mutations';

const identity = { tweetId: '1234567890123456789', authorId: '9', createdAt: new Date(1_700_000_000_123) };
const bare = { ...plain, ...identity, content: '' };
const rich = {
  ...identity,
  content: 'text "quoted"\n #tag @someone 🐦',
  language: 'en',
  location: { latitude: -0.1, longitude: 179.999, country: 'DE' },
  hashtags: ['tag', 'ß'],
  mentions: ['someone'],
  inReplyToId: '9223372036854775807',
  quotedTweetId: '2',
  sharedTweetId: '3',
  sharedAuthorId: '4',
  rootId: '5',
};

test('the task of a tweet has all of the tweet', () => {
  expect(Object.keys(rich).sort()).toEqual(Object.keys(tweets.columns).sort());
  for (const tweet of [rich, bare]) expect(decodePosted(encodePosted(tweet))).toStrictEqual(tweet);
});
