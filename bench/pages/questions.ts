/** A list, of which the first page is asked for. */
export interface PageQuestion {
  readonly name: string;
  /**
   * Whose list it is: a person, a person who publishes, a tweet with replies, a tweet that somebody likes, an article with
   * comments; or by what a list over everybody is asked for: a day with tweets, a
   * day with articles, a hashtag, a word.
   */
  readonly of: 'person' | 'writer' | 'replied' | 'liked' | 'article' | 'day' | 'newsDay' | 'hashtag' | 'word';
  readonly source: string;
  /** What the rows of the list are. */
  readonly rows: 'tweets' | 'people' | 'pointers to tweets' | 'articles' | 'comments';
  /** The tables that the driver alone also reads, with one `IN` request each. */
  readonly joins: readonly ('users' | 'counts' | 'tweets')[];
  /** Whether only the person and services may read it. */
  readonly isPrivate?: true;
}

const TWEET = 'tweetId content createdAt';
const AUTHOR = 'author { userId username name }';
const ARTICLE = 'title publishedAt';
const COMMENT = `body createdAt ${AUTHOR}`;

const ofUser = (list: string, fields: string) =>
  `query ($of: String!) { user(username: $of) { list: ${list} { ${fields} } } }`;
const ofNode = (type: 'Tweet' | 'Article', list: string, fields: string) =>
  `query ($of: ID!) { node(id: $of) { ... on ${type} { list: ${list} { ${fields} } } } }`;
const ofHashtag = (list: string) =>
  `query ($of: String!) { hashtag(name: $of) { list: ${list} { nodes { ${TWEET} } } } }`;
const edges = (at: string) => `edges { ${at} node { userId username name } }`;
const search = (order: string) =>
  `query ($of: String!) { searchTweets(words: [$of], order: ${order}, first: 25) { nodes { ${TWEET} } } }`;

const tweets = { rows: 'tweets', joins: [] } as const;
const ofPerson = { of: 'person', ...tweets } as const;
const people = { rows: 'people', joins: ['users'] } as const;
const comments = { of: 'article', rows: 'comments', joins: ['users'] } as const;

/**
 * All lists of a person, a tweet, an article or a hashtag, and those lists over everybody that a day or a word selects. Lists of a
 * period (`comments`, `rankings`, `tweetsInArea`) are left to `queries` and `discovery`.
 */
export const pageQuestions: readonly PageQuestion[] = [
  { ...ofPerson, name: 'tweets', source: ofUser('tweets(first: 25)', `nodes { ${TWEET} }`) },
  {
    ...ofPerson,
    name: 'tweets, most liked',
    source: ofUser('tweets(first: 25, order: MOST_LIKED)', `nodes { ${TWEET} likeCount }`),
    joins: ['counts'],
  },
  {
    ...ofPerson,
    name: 'timeline',
    source: ofUser('timeline(first: 25)', `nodes { ${TWEET} }`),
    isPrivate: true,
  },
  {
    ...ofPerson,
    name: 'timeline, authors and likes',
    source: ofUser('timeline(first: 25)', `nodes { ${TWEET} likeCount ${AUTHOR} }`),
    joins: ['counts', 'users'],
    isPrivate: true,
  },
  {
    ...ofPerson,
    name: 'timeline, most liked',
    source: ofUser('timeline(first: 25, order: MOST_LIKED)', `nodes { ${TWEET} likeCount }`),
    joins: ['counts'],
    isPrivate: true,
  },
  { ...ofPerson, ...people, name: 'followers', source: ofUser('followers(first: 25)', edges('followedAt')) },
  { ...ofPerson, ...people, name: 'following', source: ofUser('following(first: 25)', edges('followedAt')) },
  {
    ...ofPerson,
    name: 'likes',
    source: ofUser('likes(first: 25)', `nodes { ${TWEET} }`),
    rows: 'pointers to tweets',
    joins: ['tweets'],
  },
  {
    name: 'articles of a person',
    of: 'writer',
    source: ofUser('articles(first: 25)', `nodes { ${ARTICLE} }`),
    rows: 'articles',
    joins: [],
  },
  {
    name: 'replies of a tweet',
    of: 'replied',
    source: ofNode('Tweet', 'replies(first: 25)', `nodes { ${TWEET} ${AUTHOR} }`),
    rows: 'tweets',
    joins: ['users'],
  },
  {
    name: 'replies, most liked',
    of: 'replied',
    source: ofNode('Tweet', 'replies(first: 25, order: MOST_LIKED)', `nodes { ${TWEET} likeCount }`),
    rows: 'tweets',
    joins: ['counts'],
  },
  {
    ...people,
    name: 'likers of a tweet',
    of: 'liked',
    source: ofNode('Tweet', 'likers(first: 25)', edges('likedAt')),
  },
  {
    ...comments,
    name: 'comments on an article',
    source: ofNode('Article', 'comments(first: 25)', `nodes { ${COMMENT} }`),
  },
  {
    ...comments,
    name: 'comments of its author',
    source: ofNode('Article', 'authorComments(first: 25)', `nodes { ${COMMENT} }`),
  },
  { ...tweets, name: 'a hashtag', of: 'hashtag', source: ofHashtag('tweets(first: 25, order: NEWEST)') },
  {
    ...tweets,
    name: 'a hashtag, most liked',
    of: 'hashtag',
    source: ofHashtag('tweets(first: 25, order: MOST_LIKED)'),
  },
  { ...tweets, name: 'a word', of: 'word', source: search('NEWEST') },
  { ...tweets, name: 'a word, most liked', of: 'word', source: search('MOST_LIKED') },
  {
    ...tweets,
    name: 'tweets of a day',
    of: 'day',
    source: `query ($of: Date!) { tweetsOfDay(day: $of, first: 25) { nodes { ${TWEET} } } }`,
  },
  {
    name: 'articles of a day',
    of: 'newsDay',
    source: `query ($of: Date!) { articlesOfDay(day: $of, first: 25) { nodes { ${ARTICLE} } } }`,
    rows: 'articles',
    joins: [],
  },
];

/** The questions that `bench -- queries` also asks of authors and readers whose pages lie in one partition. */
export const ordinaryQuestions = pageQuestions.filter(({ name }) =>
  ['tweets', 'timeline', 'timeline, authors and likes'].includes(name),
);
