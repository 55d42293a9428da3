import { drawCityArea } from '../tweets/places';
import type { PageQuestion } from '../pages/questions';
import type { Subject } from '../pages/subjects';

const DAY = 86_400_000;

/** A query by which a field of the schema is measured. Lists have `$after`, so that they are also asked for their second page. */
export interface Probe {
  /** The field as a schema coordinate: `User.timeline`. */
  readonly field: string;
  /** The order of a list, if the field has several. */
  readonly order?: string;
  /** What is asked about; each of the sample is asked about once. */
  readonly of: PageQuestion['of'];
  readonly source: string;
  variables(this: void, subject: Subject, random: () => number): Readonly<Record<string, unknown>>;
}

const ofVariable = ({ variable }: Subject) => ({ of: variable });
const ofId = ({ id }: Subject) => ({ of: id });

function probe(
  field: string,
  of: Probe['of'],
  source: string,
  variables: Probe['variables'] = ofVariable,
): Probe {
  return { field, of, source, variables };
}

const PAGE = '{ edges { cursor } pageInfo { hasNextPage endCursor } }';
const ORDERS = ['NEWEST', 'MOST_LIKED'] as const;

/** The variables of a query about something, of which only lists have a position. */
const declared = (type: string, selection: string) =>
  `($of: ${type}!${selection.includes('$after') ? ', $after: String' : ''})`;
const aboutUser = (selection: string) =>
  `query ${declared('String', selection)} { user(username: $of) { of: ${selection} } }`;
const aboutNode = (type: string, selection: string) =>
  `query ${declared('ID', selection)} { node(id: $of) { ... on ${type} { of: ${selection} } } }`;

const userLists = ['followers', 'following', 'likes', 'articles', 'bookmarks'].map((list) =>
  probe(
    `User.${list}`,
    list === 'articles' ? 'writer' : 'person',
    aboutUser(`${list}(first: 25, after: $after) ${PAGE}`),
  ),
);
const userFields = [
  'followerCount',
  'followingCount',
  'tweetCount',
  'viewerIsFollowing',
  'isFollowingViewer',
  'viewerIsBlocking',
  'isBlockingViewer',
  'viewerIsMuting',
  'bookmarkFolders { name }',
].map((field) => probe(`User.${field.split(' ')[0] ?? ''}`, 'person', aboutUser(field)));

const userOrders = ORDERS.flatMap((order) =>
  ['tweets', 'timeline'].map((list) => ({
    ...probe(
      `User.${list}`,
      'person',
      aboutUser(`${list}(first: 25, after: $after, order: ${order}) ${PAGE}`),
    ),
    order,
  })),
);

const tweetFields = [
  'quotedTweetHiddenReason',
  'quotedTweetMutedWord { text }',
  'viewerHasBookmarked',
  'viewerHasMutedThread',
  ...['raw', 'likeCount', 'shareCount', 'replyCount', 'quoteCount', 'viewerHasLiked', 'viewerHasShared'],
  ...['author', 'inReplyTo', 'sharedTweet', 'quotedTweet'].map((field) => `${field} { id __typename }`),
].map((field) => {
  const [name = ''] = field.split(' ');
  // An author or tweet is only read if more than its id is asked for.
  const whole = name === 'author' ? 'author { name }' : field.replace('id __typename', 'content');
  return probe(`Tweet.${name}`, name === 'inReplyTo' ? 'replied' : 'liked', aboutNode('Tweet', whole));
});

const tweetLists = [
  probe('Tweet.root', 'replied', aboutNode('Tweet', 'root { content }')),
  probe('Tweet.ancestors', 'replied', aboutNode('Tweet', `ancestors(first: 25, after: $after) ${PAGE}`)),
  probe(
    'Tweet.thread',
    'replied',
    aboutNode('Tweet', 'thread(first: 25) { edges { tweetId moreReplies { count } } }'),
  ),
  probe('Tweet.quotes', 'liked', aboutNode('Tweet', `quotes(first: 25, after: $after) ${PAGE}`)),
  probe('Tweet.sharers', 'liked', aboutNode('Tweet', `sharers(first: 25, after: $after) ${PAGE}`)),
  probe('Tweet.likers', 'liked', aboutNode('Tweet', `likers(first: 25, after: $after) ${PAGE}`)),
  ...ORDERS.map((order) => ({
    ...probe(
      'Tweet.replies',
      'replied',
      aboutNode('Tweet', `replies(first: 25, after: $after, order: ${order}) ${PAGE}`),
    ),
    order,
  })),
];

const items = [
  probe('FollowConnection.nodes', 'person', aboutUser('followers(first: 25) { nodes { name } }')),
  probe('FollowEdge.node', 'person', aboutUser('followers(first: 1) { edges { node { name } } }')),
  probe('LikeConnection.nodes', 'liked', aboutNode('Tweet', 'likers(first: 25) { nodes { name } }')),
  probe('SharerConnection.nodes', 'liked', aboutNode('Tweet', 'sharers(first: 25) { nodes { name } }')),
  probe('SharerEdge.node', 'liked', aboutNode('Tweet', 'sharers(first: 1) { edges { node { name } } }')),
  probe('LikeEdge.node', 'liked', aboutNode('Tweet', 'likers(first: 1) { edges { node { name } } }')),
];

const ofNotification = (selection: string) => aboutUser(`notifications(first: 1) { nodes { ${selection} } }`);

const hidden = [
  probe(
    'User.blockedUsers',
    'person',
    aboutUser(
      'blockedUsers(first: 25, after: $after) { nodes { userId } pageInfo { hasNextPage endCursor } }',
    ),
  ),
  probe(
    'User.mutedUsers',
    'person',
    aboutUser('mutedUsers(first: 25, after: $after) { nodes { userId } pageInfo { hasNextPage endCursor } }'),
  ),
  probe('User.mutedWords', 'person', aboutUser('mutedWords { text }')),
];

const leaving = [
  probe('User.accountDeletion', 'person', aboutUser('accountDeletion { startsAt }')),
  probe('User.accountExport', 'person', aboutUser('accountExport { state }')),
];

const notifications = [
  probe('User.notifications', 'person', aboutUser(`notifications(first: 25, after: $after) ${PAGE}`)),
  probe('User.unreadNotifications', 'person', aboutUser('unreadNotifications { count }')),
  probe('Notification.text', 'person', ofNotification('text')),
  probe('Notification.isSeen', 'person', ofNotification('isSeen')),
  probe('Notification.tweet', 'person', ofNotification('tweet { content }')),
  probe('Notification.comment', 'person', ofNotification('comment { body }')),
  probe('Notification.actors', 'person', ofNotification('actors(first: 25) { edges { cursor } }')),
  probe('NotificationActorConnection.nodes', 'person', ofNotification('actors(first: 3) { nodes { name } }')),
  probe(
    'NotificationActorEdge.node',
    'person',
    ofNotification('actors(first: 1) { edges { node { name } } }'),
  ),
];

const news = [
  probe('Query.article', 'article', 'query ($of: ID!) { article(id: $of) { title } }'),
  probe(
    'Query.articlesOfDay',
    'newsDay',
    `query ($of: Date!, $after: String) { of: articlesOfDay(day: $of, first: 25, after: $after) ${PAGE} }`,
  ),
  probe(
    'Query.comments',
    'newsDay',
    `query ($from: DateTime!, $to: DateTime!, $after: String) { of: comments(from: $from, to: $to, first: 25, after: $after) ${PAGE} }`,
    ({ variable }) => ({
      from: new Date(Number(new Date(variable)) - 30 * DAY),
      to: new Date(variable),
    }),
  ),
  probe('Article.author', 'article', aboutNode('Article', 'author { twitterAccount }')),
  probe('Article.commentCount', 'article', aboutNode('Article', 'commentCount')),
  ...['comments', 'authorComments'].map((list) =>
    probe(`Article.${list}`, 'article', aboutNode('Article', `${list}(first: 25, after: $after) ${PAGE}`)),
  ),
  probe(
    'Comment.author',
    'article',
    aboutNode('Article', 'comments(first: 1) { nodes { author { twitterAccount } } }'),
  ),
  probe(
    'Comment.article',
    'article',
    aboutNode('Article', 'comments(first: 1) { nodes { article { tags } } }'),
  ),
];

const roots = [
  probe('Query.user', 'person', 'query ($of: String!) { user(username: $of) { id } }'),
  probe(
    'Query.userByTwitterAccount',
    'person',
    'query ($of: String!) { userByTwitterAccount(twitterAccount: $of) { id } }',
  ),
  probe('Query.viewer', 'person', '{ viewer { name } }'),
  probe('Query.searchUsers', 'person', 'query ($of: String!) { searchUsers(text: $of) { name } }'),
  probe('Query.node', 'liked', 'query ($of: ID!) { node(id: $of) { __typename } }'),
  probe('Query.nodes', 'liked', 'query ($of: ID!) { nodes(ids: [$of]) { __typename } }'),
  probe('Query.tweet', 'liked', 'query ($of: String!) { tweet(tweetId: $of) { content } }', ofId),
  probe(
    'Query.tweetsOfDay',
    'day',
    `query ($of: Date!, $after: String) { of: tweetsOfDay(day: $of, first: 25, after: $after) ${PAGE} }`,
  ),
];

const terms = [
  probe('Query.hashtag', 'hashtag', 'query ($of: String!) { hashtag(name: $of) { name } }'),
  ...ORDERS.flatMap((order) => [
    {
      ...probe(
        'Hashtag.tweets',
        'hashtag',
        `query ($of: String!, $after: String) { hashtag(name: $of) { of: tweets(first: 25, after: $after, order: ${order}) ${PAGE} } }`,
      ),
      order,
    },
    {
      ...probe(
        'Query.searchTweets',
        'word',
        `query ($of: String!, $after: String) { of: searchTweets(words: [$of], first: 25, after: $after, order: ${order}) ${PAGE} }`,
      ),
      order,
    },
  ]),
];

/** A period of days before the last tweet, of which the sample's days tell. */
const period =
  (days: number): Probe['variables'] =>
  ({ variable }, random) => ({
    area: drawCityArea(random),
    from: new Date(Number(new Date(variable)) - days * DAY),
    to: new Date(variable),
  });

const periods = [
  probe(
    'Query.tweetFrequency',
    'day',
    'query ($from: DateTime!, $to: DateTime!) { tweetFrequency(from: $from, to: $to, unit: HOUR) { count } }',
    period(1),
  ),
  probe('Query.trendingHashtags', 'day', '{ trendingHashtags { count } }', () => ({})),
];

/** The fields of places and of rankings, for a keyspace that has some. */
export const probesOfPlaces: readonly Probe[] = [
  probe(
    'Query.rankings',
    'day',
    `query ($from: DateTime!, $to: DateTime!, $after: String) { of: rankings(kind: TOP_ACCOUNTS, from: $from, to: $to, first: 25, after: $after) ${PAGE} }`,
    () => ({ from: new Date(Date.now() - 30 * DAY), to: new Date(Date.now() + DAY) }),
  ),
  probe('Query.topAccounts', 'day', '{ topAccounts { takenAt } }', () => ({})),
  probe('Query.topFollowers', 'day', '{ topFollowers { takenAt } }', () => ({})),
  probe('Ranking.entries', 'day', '{ topAccounts { entries { user { name } } } }', () => ({})),
  probe(
    'Query.tweetsInArea',
    'day',
    `query ($area: AreaInput!, $from: DateTime!, $to: DateTime!, $after: String) { of: tweetsInArea(area: $area, from: $from, to: $to, first: 25, after: $after) ${PAGE} }`,
    period(30),
  ),
  probe(
    'Query.tweetHeatmap',
    'day',
    'query ($area: AreaInput!, $from: DateTime!, $to: DateTime!) { tweetHeatmap(area: $area, from: $from, to: $to, precision: 5) { count } }',
    period(30),
  ),
];

/** The fields of queries that read, but those of places and rankings. */
export const probes: readonly Probe[] = [
  ...roots,
  ...userFields,
  ...userOrders,
  ...userLists,
  ...tweetFields,
  ...tweetLists,
  ...items,
  ...hidden,
  ...leaving,
  ...notifications,
  ...news,
  ...terms,
  ...periods,
];
