import { removalOf, writeOf } from '../../src/kit/cassandra/write';
import { timelinesByUser } from '../../src/features/timeline/timeline.lists';
import { tweetsByAuthor, tweetsByDay } from '../../src/features/tweet/tweet.lists';
import { day, idOf, ofQuery, ofUser, OWNER, tweetRow, type Listed } from './items';

const timeline = {
  field: 'User.timeline',
  ask: ofUser('timeline', 'tweetId'),
  put: (n: number) => [writeOf(timelinesByUser, { userId: OWNER, ...tweetRow(n, '2') })],
  remove: (n: number) => [removalOf(timelinesByUser, { userId: OWNER, tweetId: idOf(n) })],
};

const pulled = {
  put: (n: number) => [writeOf(tweetsByAuthor, tweetRow(n, '3'))],
  remove: (n: number) => [removalOf(tweetsByAuthor, { authorId: '3', tweetId: idOf(n) })],
};

const ofDay = (n: number) => tweetsByDay.dayFor({ createdAt: new Date(day.day), tweetId: idOf(n) });

/** Timelines, and the tweets of a day, which are merged from several partitions. */
export const networkLists: readonly Listed[] = [
  timeline,
  {
    // Every third is a row of the timeline, the others are merged in from an author's; one in six is in both.
    ...timeline,
    field: 'User.timeline of pulled authors',
    put: (n) => [...(n % 3 === 0 ? timeline.put(n) : []), ...(n % 6 === 0 || n % 3 > 0 ? pulled.put(n) : [])],
    remove: (n) => [...timeline.remove(n), ...pulled.remove(n)],
  },
  {
    field: 'Query.tweetsOfDay',
    ask: ofQuery(`tweetsOfDay(day: "${day.day}", PAGE)`, 'tweetId'),
    put: (n) => [writeOf(tweetsByDay, { ...ofDay(n), ...tweetRow(n, '2') })],
    remove: (n) => [removalOf(tweetsByDay, { ...ofDay(n), tweetId: idOf(n) })],
  },
];
