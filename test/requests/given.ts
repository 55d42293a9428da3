import { encodeNodeId } from '../../src/kit/graphql/global-id';
import type { Given } from '../support/places';
import { firstComments, newest, newsId } from './news-seed';
import { everyone, newestOf, userOf } from './seed';

const ids: Readonly<Record<string, (n: number) => string>> = {
  User: userOf,
  Tweet: newestOf,
  Article: (n) => newsId(newest, n, 0),
  Comment: (n) => firstComments[n] ?? '',
};
const nodeId = (type: string, n: number) => encodeNodeId(type, ids[type]?.(n) ?? '');
/** What the seed has for each required argument of the schema. */
export const given: Given = {
  'Query.node(id:)': (type) => JSON.stringify(nodeId(type, 0)),
  'Query.nodes(ids:)': (type, size) => JSON.stringify(everyone.slice(0, size).map((n) => nodeId(type, n))),
  'Query.article(id:)': () => JSON.stringify(nodeId('Article', 0)),
  'Query.articlesOfDay(day:)': () => '"2026-02-11"',
  'Query.comments(from:)': () => '"2026-02-01T00:00:00Z"',
  'Query.comments(to:)': () => '"2026-03-01T00:00:00Z"',
  'Query.tweet(tweetId:)': () => JSON.stringify(newestOf(0)),
  'Query.tweetsOfDay(day:)': () => '"2026-02-11"',
  'Query.user(username:)': () => '"user0"',
  'Query.userByTwitterAccount(twitterAccount:)': () => '"user0"',
  'Query.searchTweets(words:)': () => '["tweet"]',
  'Query.searchUsers(text:)': () => '"user"',
  'Query.hashtag(name:)': () => '"#Seen"',
  'Query.tweetFrequency(from:)': () => '"2026-02-11T00:00:00Z"',
  'Query.tweetFrequency(to:)': (_, size) => JSON.stringify(new Date(Date.UTC(2026, 1, 11, 0, size))),
  'Query.tweetsInArea(area:)': () => '{ south: 0.5, west: 1.5, north: 1.5, east: 2.5 }',
  'Query.tweetsInArea(from:)': () => '"2026-02-01T00:00:00Z"',
  'Query.tweetsInArea(to:)': () => '"2026-03-01T00:00:00Z"',
  'Query.rankings(kind:)': () => 'TOP_FOLLOWERS',
  'Query.rankings(from:)': () => '"2026-02-01T00:00:00Z"',
  'Query.rankings(to:)': () => '"2026-03-01T00:00:00Z"',
  'Query.tweetHeatmap(area:)': () => '{ south: 40, west: 39.5, north: 41.5, east: 40.5 }',
  'Query.tweetHeatmap(from:)': () => JSON.stringify(new Date(Date.now() - 86_400_000)),
  'Query.tweetHeatmap(to:)': () => JSON.stringify(new Date(Date.now() + 86_400_000)),
};
