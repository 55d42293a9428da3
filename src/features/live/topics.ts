import { cellAt, coverBoxes, GRIDS } from '../map/cells';
import type { Box } from '../map/box';
import type { GeoPoint } from '../../kit/cassandra/column';
import { knownTerms, type Worded } from '../search/words';

/** The topic of a user's home timeline. */
export function timelineTopic(userId: string): string {
  return `timeline ${userId}`;
}

/** The topic of what reaches a user's home timeline late. */
export function lateTopic(userId: string): string {
  return `late ${userId}`;
}

/** The topic of an author's tweets. */
export function authorTopic(authorId: string): string {
  return `author ${authorId}`;
}

/** The topic of the counts of a tweet, and of its deletion. */
export function tweetTopic(tweetId: string): string {
  return `tweet ${tweetId}`;
}

/** The topic of tweets with a term. */
export function termTopic(term: string): string {
  return `term ${term}`;
}

/** The topics of an area: the cells of the coarsest grid. */
export function areaTopics(boxes: readonly Box[]): string[] {
  return coverBoxes(COARSE, boxes).map((cell) => `cell ${cell}`);
}

/** The topics of a new tweet. */
export function postedTopics(
  tweet: Worded & { readonly authorId: string; readonly location: GeoPoint | null },
): string[] {
  const { authorId, location } = tweet;
  const cell = location && cellAt(COARSE, location.latitude, location.longitude);
  return [
    authorTopic(authorId),
    ...Array.from(knownTerms(tweet), termTopic),
    ...(cell === null ? [] : [`cell ${cell}`]),
  ];
}

const COARSE = GRIDS.at(-1) ?? { bits: 6, time: 'day' };

/** The owner and name under which tweets are recorded that came late into the lists of authors, words and areas. */
export const LATE_TWEETS = { list: 'tweets', owner: '0' };
