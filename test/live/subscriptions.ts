import type { Event } from './subscriber';

/** An edge of an event. */
export interface Edge {
  readonly cursor: string;
  readonly node: { readonly tweetId: string };
}
export interface TimelineEvent {
  readonly timelineTweet: Edge;
}
export interface PostedEvent {
  readonly tweetPosted: Edge;
}

const EDGE = '{ cursor node { tweetId author { username } } }';
export const TIMELINE = `subscription ($after: String) { timelineTweet(after: $after) ${EDGE} }`;
export const POSTED = `subscription ($username: String, $words: [String!], $hashtag: String, $area: AreaInput, $after: String) {
  tweetPosted(username: $username, words: $words, hashtag: $hashtag, area: $area, after: $after) ${EDGE} }`;
export const CHANGED = 'subscription ($id: ID!) { tweetChanged(id: $id) { tweetId likeCount } }';

/** The tweet ids of events of `timelineTweet` or `tweetPosted`, without those of errors. */
export function idsIn(events: readonly Event<TimelineEvent | PostedEvent>[]): string[] {
  return events.flatMap(({ data }) => (data ? edgeIn(data).node.tweetId : []));
}

/** The edge of an event. */
export function edgeIn(data: TimelineEvent | PostedEvent): Edge {
  return 'timelineTweet' in data ? data.timelineTweet : data.tweetPosted;
}

/** The codes of an event's errors. */
export function codesIn({ errors = [] }: Event): string[] {
  return errors.map(({ extensions }) => extensions.code);
}
