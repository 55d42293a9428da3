/** A list of people or tweets, of which the first page is asked for. */
export interface PageQuestion {
  readonly name: string;
  /** Whose list it is: a person, a tweet with replies, or a tweet that somebody likes. */
  readonly of: 'person' | 'replied' | 'liked';
  readonly source: string;
  /** What the rows of the list are. */
  readonly rows: 'tweets' | 'people' | 'pointers to tweets';
  /** The tables that the driver alone also reads, with one `IN` request each. */
  readonly joins: readonly ('users' | 'counts' | 'tweets')[];
}

const TWEET = 'tweetId content createdAt';
const AUTHOR = 'author { userId username name }';

const ofPerson = (list: string, fields: string) =>
  `query ($of: String!) { user(username: $of) { list: ${list} { ${fields} } } }`;
const ofTweet = (list: string, fields: string) =>
  `query ($of: ID!) { node(id: $of) { ... on Tweet { list: ${list} { ${fields} } } } }`;
const edges = (at: string) => `edges { ${at} node { userId username name } }`;

/** Every list of a person or a tweet, by 25. */
export const pageQuestions: readonly PageQuestion[] = [
  {
    name: 'tweets',
    of: 'person',
    source: ofPerson('tweets(first: 25)', `nodes { ${TWEET} }`),
    rows: 'tweets',
    joins: [],
  },
  {
    name: 'tweets, most liked',
    of: 'person',
    source: ofPerson('tweets(first: 25, order: MOST_LIKED)', `nodes { ${TWEET} likeCount }`),
    rows: 'tweets',
    joins: ['counts'],
  },
  {
    name: 'timeline',
    of: 'person',
    source: ofPerson('timeline(first: 25)', `nodes { ${TWEET} }`),
    rows: 'tweets',
    joins: [],
  },
  {
    name: 'timeline, authors and likes',
    of: 'person',
    source: ofPerson('timeline(first: 25)', `nodes { ${TWEET} likeCount ${AUTHOR} }`),
    rows: 'tweets',
    joins: ['counts', 'users'],
  },
  {
    name: 'timeline, most liked',
    of: 'person',
    source: ofPerson('timeline(first: 25, order: MOST_LIKED)', `nodes { ${TWEET} likeCount }`),
    rows: 'tweets',
    joins: ['counts'],
  },
  {
    name: 'followers',
    of: 'person',
    source: ofPerson('followers(first: 25)', edges('followedAt')),
    rows: 'people',
    joins: ['users'],
  },
  {
    name: 'following',
    of: 'person',
    source: ofPerson('following(first: 25)', edges('followedAt')),
    rows: 'people',
    joins: ['users'],
  },
  {
    name: 'likes',
    of: 'person',
    source: ofPerson('likes(first: 25)', `nodes { ${TWEET} }`),
    rows: 'pointers to tweets',
    joins: ['tweets'],
  },
  {
    name: 'replies of a tweet',
    of: 'replied',
    source: ofTweet('replies(first: 25)', `nodes { ${TWEET} ${AUTHOR} }`),
    rows: 'tweets',
    joins: ['users'],
  },
  {
    name: 'likers of a tweet',
    of: 'liked',
    source: ofTweet('likers(first: 25)', edges('likedAt')),
    rows: 'people',
    joins: ['users'],
  },
];

/** The questions that `bench -- queries` also asks of authors and readers whose pages lie in one partition. */
export const ordinaryQuestions = pageQuestions.filter(({ name }) =>
  ['tweets', 'timeline', 'timeline, authors and likes'].includes(name),
);
