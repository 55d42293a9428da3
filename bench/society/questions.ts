import type { PageQuestion } from '../pages/questions';
import type { Subject } from '../pages/subjects';

/** A request as a client of a social network sends it, with the most statements that it may take. */
export interface SocietyQuestion {
  readonly name: string;
  readonly of: PageQuestion['of'];
  readonly source: string;
  /** The most requests to Cassandra. */
  readonly most: number;
  variables(this: void, subject: Subject): Readonly<Record<string, unknown>>;
}

const ofVariable = ({ variable }: Subject) => ({ of: variable });
const own = (selection: string) => `{ viewer { of: ${selection} } }`;
const ofPerson = { of: 'person', variables: () => ({}) } as const;
const ofTweet = { of: 'replied', variables: ofVariable } as const;
const aboutTweet = (selection: string) =>
  `query ($of: ID!) { node(id: $of) { ... on Tweet { of: ${selection} } } }`;
const THREAD = 'edges { tweetId depth hiddenReason node { content createdAt } moreReplies { count cursor } }';

/** The first letters of a username, as somebody types them. */
const typed = ({ variable }: Subject) => ({ of: variable.slice(0, 3) });

/** What clients ask for of notifications, threads, bookmarks, people and what is hidden. */
export const societyQuestions: readonly SocietyQuestion[] = [
  {
    ...ofPerson,
    name: 'notifications with actors',
    source: own(
      'notifications(first: 25) { nodes { kind text listedAt isSeen actorCount actors(first: 3) { nodes { username name } } tweet { content } } }',
    ),
    most: 5,
  },
  {
    ...ofPerson,
    name: 'unreadNotifications',
    source: own('unreadNotifications { count isCapped }'),
    most: 3,
  },
  { ...ofTweet, name: 'a thread of 50', source: aboutTweet(`thread(first: 50) { ${THREAD} }`), most: 5 },
  {
    ...ofTweet,
    name: 'a thread of 50, most liked',
    source: aboutTweet(`thread(first: 50, order: MOST_LIKED) { ${THREAD} }`),
    most: 6,
  },
  {
    of: 'person',
    name: 'searchUsers',
    source: 'query ($of: String!) { searchUsers(text: $of, first: 10) { username name } }',
    variables: typed,
    most: 3,
  },
  {
    ...ofPerson,
    name: 'bookmarks',
    source: own('bookmarks(first: 25) { edges { bookmarkedAt folder hiddenReason node { content } } }'),
    most: 4,
  },
  {
    ...ofPerson,
    name: 'timeline',
    source: own('timeline(first: 25) { nodes { tweetId content createdAt } }'),
    most: 6,
  },
];

/** The question of that name. */
export function questionNamed(name: string): SocietyQuestion {
  const found = societyQuestions.find((question) => question.name === name);
  if (found === undefined) throw new Error(`There must be a question ${name}.`);
  return found;
}

/** A user by name, next to which a search of users is measured. */
export const userByName: SocietyQuestion = {
  of: 'person',
  name: 'user',
  source: 'query ($of: String!) { user(username: $of) { username name } }',
  variables: ofVariable,
  most: 2,
};

/** The fields of which `compareSociety` tells the bounds. */
export const SOCIETY_FIELDS = [
  ...['root', 'ancestors', 'thread', 'quotes', 'quoteCount', 'sharers', 'quotedTweetHiddenReason'],
  'viewerHasBookmarked',
]
  .map((field) => `Tweet.${field}`)
  .concat(
    [
      ...[
        'viewerIsBlocking',
        'isBlockingViewer',
        'viewerIsMuting',
        'blockedUsers',
        'mutedUsers',
        'mutedWords',
      ],
      ...['notifications', 'unreadNotifications', 'bookmarks', 'bookmarkFolders', 'accountDeletion'],
    ].map((field) => `User.${field}`),
    ['text', 'isSeen', 'tweet', 'comment', 'actors'].map((field) => `Notification.${field}`),
    'Query.searchUsers',
  );
