import { z } from 'zod';
import type { Operation } from './api';

const person = z.object({
  id: z.string(),
  userId: z.string(),
  username: z.string(),
  followerCount: z.int(),
  followingCount: z.int(),
  tweetCount: z.int(),
  viewerIsFollowing: z.boolean(),
  isFollowingViewer: z.boolean(),
  viewerIsBlocking: z.boolean(),
  isBlockingViewer: z.boolean(),
  viewerIsMuting: z.boolean(),
});
const personFields =
  'id userId username followerCount followingCount tweetCount viewerIsFollowing isFollowingViewer viewerIsBlocking isBlockingViewer viewerIsMuting';

const linked = z.object({ id: z.string(), tweetId: z.string() }).nullable();
const tweet = z.object({
  id: z.string(),
  tweetId: z.string(),
  content: z.string(),
  createdAt: z.string(),
  language: z.string().nullable(),
  location: z.object({ latitude: z.number(), longitude: z.number() }).nullable(),
  author: z.object({ username: z.string() }),
  likeCount: z.int(),
  shareCount: z.int(),
  replyCount: z.int(),
  quoteCount: z.int(),
  viewerHasLiked: z.boolean(),
  viewerHasShared: z.boolean(),
  viewerHasBookmarked: z.boolean(),
  inReplyTo: linked,
  quotedTweet: linked,
  quotedTweetHiddenReason: z.string().nullable(),
  sharedTweet: linked,
});
const tweetFields = `id tweetId content createdAt language location { latitude longitude } author { username } likeCount shareCount replyCount quoteCount
  viewerHasLiked viewerHasShared viewerHasBookmarked quotedTweetHiddenReason inReplyTo { id tweetId } quotedTweet { id tweetId } sharedTweet { id tweetId }`;

/** A person as the API shows it to a viewer. */
export type PersonView = z.infer<typeof person>;
/** A tweet as the API shows it to a viewer. */
export type TweetView = z.infer<typeof tweet>;

/** The input of `createTweet`. */
export interface CreateTweetInput {
  readonly content: string;
  readonly idempotencyKey: string;
  readonly language?: string;
  readonly location?: { readonly latitude: number; readonly longitude: number };
  readonly inReplyTo?: string;
  readonly quotes?: string;
}

/** Creates the caller's user. */
export const createUser = {
  name: 'createUser',
  source: `mutation ($input: CreateUserInput!) { createUser(input: $input) { user { ${personFields} } } }`,
  data: z.object({ createUser: z.object({ user: person }) }).transform(({ createUser: { user } }) => user),
} satisfies Operation<PersonView>;

export type FollowName = 'followUser' | 'unfollowUser';

/** Follows or unfollows a user. */
export function followOperation(name: FollowName): Operation<{ follower: PersonView; followee: PersonView }> {
  return {
    name,
    source: `mutation ($id: ID!) { payload: ${name}(id: $id) { follower { ${personFields} } followee { ${personFields} } } }`,
    data: z
      .object({ payload: z.object({ follower: person, followee: person }) })
      .transform(({ payload }) => payload),
  };
}

/** Posts a tweet. */
export const createTweet = {
  name: 'createTweet',
  source: `mutation ($input: CreateTweetInput!) { payload: createTweet(input: $input) { tweet { ${tweetFields} } } }`,
  data: z.object({ payload: z.object({ tweet }) }).transform(({ payload }) => payload.tweet),
} satisfies Operation<TweetView>;

/** Deletes a tweet; the answer is its id. */
export const deleteTweet = {
  name: 'deleteTweet',
  source: 'mutation ($id: ID!) { payload: deleteTweet(id: $id) { deletedId } }',
  data: z
    .object({ payload: z.object({ deletedId: z.string() }) })
    .transform(({ payload }) => payload.deletedId),
} satisfies Operation<string>;

export type ReactionName = 'likeTweet' | 'unlikeTweet' | 'shareTweet' | 'unshareTweet';

/** Likes, unlikes, shares or unshares a tweet. */
export function reactionOperation(name: ReactionName): Operation<TweetView> {
  return {
    name,
    source: `mutation ($id: ID!) { payload: ${name}(id: $id) { tweet { ${tweetFields} } } }`,
    data: z.object({ payload: z.object({ tweet }) }).transform(({ payload }) => payload.tweet),
  };
}

const more = 'pageInfo { hasNextPage }';
const shortPage = { pageInfo: z.object({ hasNextPage: z.boolean() }) };

/** The newest hundred items of each of the caller's own lists. */
export const ownView = {
  name: 'viewer',
  source: `{ viewer { ${personFields}
    following(first: 100) { nodes { username } ${more} }
    likes(first: 100) { nodes { tweetId } ${more} }
    tweets(first: 100) { nodes { ${tweetFields} } ${more} }
    timeline(first: 100) { nodes { ${tweetFields} } ${more} } } }`,
  data: z
    .object({
      viewer: person.extend({
        following: z.object({ nodes: z.array(z.object({ username: z.string() })), ...shortPage }),
        likes: z.object({ nodes: z.array(z.object({ tweetId: z.string() })), ...shortPage }),
        tweets: z.object({ nodes: z.array(tweet), ...shortPage }),
        timeline: z.object({ nodes: z.array(tweet), ...shortPage }),
      }),
    })
    .transform(({ viewer }) => viewer),
};

/** Tweets by their global ids, at most 100. */
export const tweetsByIds = {
  name: 'nodes',
  source: `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on Tweet { ${tweetFields} } } }`,
  data: z.object({ nodes: z.array(tweet.nullable()) }).transform(({ nodes }) => nodes),
} satisfies Operation<(TweetView | null)[]>;

/** People by their global ids, at most 100. */
export const peopleByIds = {
  name: 'nodes',
  source: `query ($ids: [ID!]!) { nodes(ids: $ids) { ... on User { ${personFields} } } }`,
  data: z.object({ nodes: z.array(person.nullable()) }).transform(({ nodes }) => nodes),
} satisfies Operation<(PersonView | null)[]>;

/** The tweet with an id. */
export const tweetById = {
  name: 'tweet',
  source: `query ($tweetId: String!) { tweet(tweetId: $tweetId) { ${tweetFields} } }`,
  data: z.object({ tweet: tweet.nullable() }).transform((data) => data.tweet),
} satisfies Operation<TweetView | null>;

/** The user with a username. */
export const userByName = {
  name: 'user',
  source: `query ($username: String!) { user(username: $username) { ${personFields} } }`,
  data: z.object({ user: person.nullable() }).transform(({ user }) => user),
} satisfies Operation<PersonView | null>;

/** The trending hashtags of a day, with their numbers of authors. */
export const trends = {
  name: 'trendingHashtags',
  source: '{ trends: trendingHashtags(window: DAY, first: 100) { hashtag { name } count } }',
  data: z
    .object({ trends: z.array(z.object({ hashtag: z.object({ name: z.string() }), count: z.int() })) })
    .transform((data) => data.trends),
};

/** The number of tweets of a language in each minute, hour or day of a period. */
export const frequency = {
  name: 'tweetFrequency',
  source:
    'query ($from: DateTime!, $to: DateTime!, $unit: FrequencyUnit!, $language: String) { points: tweetFrequency(from: $from, to: $to, unit: $unit, language: $language) { at count } }',
  data: z
    .object({ points: z.array(z.object({ at: z.string(), count: z.int() })) })
    .transform((data) => data.points),
};

/** The number of tweets in each geohash of an area. */
export const heatmap = {
  name: 'tweetHeatmap',
  source:
    'query ($area: AreaInput!, $from: DateTime!, $to: DateTime!) { cells: tweetHeatmap(area: $area, from: $from, to: $to, precision: 2) { geohash count } }',
  data: z
    .object({ cells: z.array(z.object({ geohash: z.string(), count: z.int() })) })
    .transform((data) => data.cells),
};
