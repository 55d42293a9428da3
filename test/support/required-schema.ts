/**
 * The least that clients may rely on: each type, field, argument and enum value, with these types. More may be there;
 * nothing may be missing, renamed or of another type.
 */
export const REQUIRED = `
scalar DateTime
scalar Date
scalar JSON

interface Node { id: ID! }
type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: String endCursor: String }
enum TweetOrder { NEWEST MOST_LIKED }

type User implements Node {
  id: ID!
  userId: String!
  username: String!
  name: String!
  description: String
  twitterAccount: String
  createdAt: DateTime!
  followerCount: Int!
  followingCount: Int!
  tweetCount: Int!
  viewerIsFollowing: Boolean!
  isFollowingViewer: Boolean!
  tweets(first: Int, after: String, last: Int, before: String, order: TweetOrder! = NEWEST): TweetConnection!
  timeline(first: Int, after: String, last: Int, before: String, order: TweetOrder! = NEWEST): TweetConnection
  likes(first: Int, after: String, last: Int, before: String): TweetConnection!
  followers(first: Int, after: String, last: Int, before: String): FollowConnection!
  following(first: Int, after: String, last: Int, before: String): FollowConnection!
  articles(first: Int, after: String, last: Int, before: String): ArticleConnection!
}

type FollowConnection { edges: [FollowEdge!]! nodes: [User!]! pageInfo: PageInfo! }
type FollowEdge { cursor: String! node: User! followedAt: DateTime! }

type Tweet implements Node {
  id: ID!
  tweetId: String!
  content: String!
  author: User!
  createdAt: DateTime!
  language: String
  location: Location
  hashtags: [String!]!
  mentions: [String!]!
  likeCount: Int!
  shareCount: Int!
  replyCount: Int!
  viewerHasLiked: Boolean!
  viewerHasShared: Boolean!
  inReplyTo: Tweet
  sharedTweet: Tweet
  quotedTweet: Tweet
  replies(first: Int, after: String, last: Int, before: String, order: TweetOrder! = NEWEST): TweetConnection!
  likers(first: Int, after: String, last: Int, before: String): LikeConnection!
  raw: JSON
}

type Location { latitude: Float! longitude: Float! country: String }
type TweetConnection { edges: [TweetEdge!]! nodes: [Tweet!]! pageInfo: PageInfo! }
type TweetEdge { cursor: String! node: Tweet! }
type LikeConnection { edges: [LikeEdge!]! nodes: [User!]! pageInfo: PageInfo! }
type LikeEdge { cursor: String! node: User! likedAt: DateTime! }

type Ranking { takenAt: DateTime! entries: [RankingEntry!]! }
type RankingEntry { rank: Int! score: Int! user: User! }
type RankingConnection { edges: [RankingEdge!]! nodes: [Ranking!]! pageInfo: PageInfo! }
type RankingEdge { cursor: String! node: Ranking! }
enum RankingKind { TOP_ACCOUNTS TOP_FOLLOWERS }

type Hashtag { name: String! tweets(first: Int, after: String, last: Int, before: String, order: TweetOrder! = NEWEST): TweetConnection! }
type TrendingHashtag { hashtag: Hashtag! count: Int! }
enum TrendWindow { HOUR DAY WEEK }
enum FrequencyUnit { MINUTE HOUR DAY }
type FrequencyPoint { at: DateTime! language: String count: Int! }
input AreaInput { south: Float! west: Float! north: Float! east: Float! }
type HeatmapCell { geohash: String! latitude: Float! longitude: Float! count: Int! }

type Query {
  node(id: ID!): Node
  nodes(ids: [ID!]!): [Node]!
  viewer: User
  user(username: String!): User
  userByTwitterAccount(twitterAccount: String!): User
  tweet(tweetId: String!): Tweet
  tweetsOfDay(day: Date!, first: Int, after: String, last: Int, before: String): TweetConnection!
  topAccounts(first: Int = 100, at: DateTime): Ranking
  topFollowers(first: Int = 100, at: DateTime): Ranking
  rankings(kind: RankingKind!, from: DateTime!, to: DateTime!, first: Int, after: String): RankingConnection!
  searchTweets(words: [String!]!, order: TweetOrder! = MOST_LIKED, first: Int, after: String): TweetConnection!
  hashtag(name: String!): Hashtag
  trendingHashtags(window: TrendWindow! = DAY, first: Int = 10): [TrendingHashtag!]!
  tweetFrequency(from: DateTime!, to: DateTime!, unit: FrequencyUnit! = MINUTE, language: String, byLanguage: Boolean! = true): [FrequencyPoint!]!
  tweetsInArea(area: AreaInput!, from: DateTime!, to: DateTime!, first: Int, after: String): TweetConnection!
  tweetHeatmap(area: AreaInput!, from: DateTime!, to: DateTime!, precision: Int): [HeatmapCell!]!
  article(id: ID!): Article
  articlesOfDay(day: Date!, first: Int = 10, after: String): ArticleConnection!
  comments(from: DateTime!, to: DateTime!, first: Int, after: String): CommentConnection!
}

type Article implements Node {
  id: ID!
  title: String!
  body: String!
  tags: [String!]!
  author: User!
  publishedAt: DateTime!
  commentCount: Int!
  comments(first: Int, after: String, last: Int, before: String): CommentConnection!
  authorComments(first: Int, after: String, last: Int, before: String): CommentConnection!
}

type Comment implements Node { id: ID! body: String! author: User! article: Article! createdAt: DateTime! }
type ArticleConnection { edges: [ArticleEdge!]! nodes: [Article!]! pageInfo: PageInfo! }
type ArticleEdge { cursor: String! node: Article! }
type CommentConnection { edges: [CommentEdge!]! nodes: [Comment!]! pageInfo: PageInfo! }
type CommentEdge { cursor: String! node: Comment! }
input PublishArticleInput { title: String! body: String! tags: [String!] idempotencyKey: String }
input AddCommentInput { articleId: ID! body: String! idempotencyKey: String }

type Mutation {
  createUser(input: CreateUserInput!): CreateUserPayload
  updateUser(input: UpdateUserInput!): UpdateUserPayload
  followUser(id: ID!): FollowUserPayload
  unfollowUser(id: ID!): UnfollowUserPayload
  createTweet(input: CreateTweetInput!): CreateTweetPayload
  deleteTweet(id: ID!): DeleteTweetPayload
  likeTweet(id: ID!): LikeTweetPayload
  unlikeTweet(id: ID!): UnlikeTweetPayload
  shareTweet(id: ID!): ShareTweetPayload
  unshareTweet(id: ID!): UnshareTweetPayload
  publishArticle(input: PublishArticleInput!): PublishArticlePayload
  addComment(input: AddCommentInput!): AddCommentPayload
}

input CreateUserInput { username: String! name: String! description: String twitterAccount: String idempotencyKey: String }
input UpdateUserInput { name: String description: String twitterAccount: String }
input LocationInput { latitude: Float! longitude: Float! country: String }
input CreateTweetInput { content: String! inReplyTo: ID quotes: ID language: String location: LocationInput idempotencyKey: String }
type CreateUserPayload { user: User! }
type UpdateUserPayload { user: User! }
type FollowUserPayload { follower: User! followee: User! }
type UnfollowUserPayload { follower: User! followee: User! }
type CreateTweetPayload { tweet: Tweet! }
type DeleteTweetPayload { deletedId: ID! }
type LikeTweetPayload { tweet: Tweet! }
type UnlikeTweetPayload { tweet: Tweet! }
type ShareTweetPayload { tweet: Tweet! share: Tweet! }
type UnshareTweetPayload { tweet: Tweet! }
type PublishArticlePayload { article: Article! }
type AddCommentPayload { comment: Comment! }
`;
