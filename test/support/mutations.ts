import type { Answer, Harness } from './harness';

/** The fields of a user that tests read. */
export interface Person {
  readonly id: string;
  readonly userId: string;
  readonly username: string;
  readonly name: string;
  readonly description: string | null;
  readonly twitterAccount: string | null;
}

/** The fields of a tweet that tests read. */
export interface Posted {
  readonly id: string;
  readonly tweetId: string;
  readonly content: string;
}

const USER = '{ user { id userId username name description twitterAccount } }';
const TWEET =
  '{ tweet { id tweetId content language hashtags mentions createdAt location { latitude longitude country } author { userId tweetCount } inReplyTo { tweetId replyCount } quotedTweet { tweetId } } }';

const ARTICLE = '{ article { id title body tags publishedAt commentCount author { userId name } } }';
const COMMENT = '{ comment { id body createdAt author { userId } article { id commentCount } } }';

/** The source of each mutation in tests. */
export const mutations = {
  createUser: `mutation ($input: CreateUserInput!) { createUser(input: $input) ${USER} }`,
  updateUser: `mutation ($input: UpdateUserInput!) { updateUser(input: $input) ${USER} }`,
  followUser:
    'mutation ($id: ID!) { followUser(id: $id) { follower { followingCount } followee { followerCount } } }',
  unfollowUser:
    'mutation ($id: ID!) { unfollowUser(id: $id) { follower { followingCount } followee { followerCount } } }',
  createTweet: `mutation ($input: CreateTweetInput!) { createTweet(input: $input) ${TWEET} }`,
  deleteTweet: 'mutation ($id: ID!) { deleteTweet(id: $id) { deletedId } }',
  likeTweet: 'mutation ($id: ID!) { likeTweet(id: $id) { tweet { tweetId likeCount } } }',
  unlikeTweet: 'mutation ($id: ID!) { unlikeTweet(id: $id) { tweet { tweetId likeCount } } }',
  shareTweet: 'mutation ($id: ID!) { shareTweet(id: $id) { tweet { tweetId shareCount } } }',
  bookmarkTweet:
    'mutation ($id: ID!, $folder: String) { bookmarkTweet(id: $id, folder: $folder) { tweet { tweetId viewerHasBookmarked } } }',
  removeBookmark: 'mutation ($id: ID!) { removeBookmark(id: $id) { tweetId } }',
  publishArticle: `mutation ($input: PublishArticleInput!) { publishArticle(input: $input) ${ARTICLE} }`,
  addComment: `mutation ($input: AddCommentInput!) { addComment(input: $input) ${COMMENT} }`,
  suspendUser:
    'mutation ($id: ID!, $reason: String!) { suspendUser(id: $id, reason: $reason) { suspendedId } }',
  unsuspendUser:
    'mutation ($id: ID!, $reason: String!) { unsuspendUser(id: $id, reason: $reason) { unsuspendedId } }',
  removeTweet:
    'mutation ($id: ID!, $reason: String!) { removeTweet(id: $id, reason: $reason) { removedId } }',
  muteThread: 'mutation ($id: ID!) { muteThread(id: $id) { root { tweetId } } }',
  unmuteThread: 'mutation ($id: ID!) { unmuteThread(id: $id) { root { tweetId } } }',
  markNotificationsSeen:
    'mutation ($until: String!) { markNotificationsSeen(until: $until) { unreadNotifications { count isCapped } } }',
  blockUser: 'mutation ($id: ID!) { blockUser(id: $id) { user { viewerIsBlocking viewerIsFollowing } } }',
  unblockUser: 'mutation ($id: ID!) { unblockUser(id: $id) { user { viewerIsBlocking viewerIsFollowing } } }',
  muteUser:
    'mutation ($id: ID!, $until: DateTime, $scope: [MuteScope!]) { muteUser(id: $id, until: $until, scope: $scope) { user { viewerIsMuting } } }',
  muteWords:
    'mutation ($input: MuteWordsInput!) { muteWords(input: $input) { mutedWord { id text until exceptFollowed where } } }',
  unmuteWords: 'mutation ($id: ID!) { unmuteWords(id: $id) { removedId } }',
  unmuteUser: 'mutation ($id: ID!) { unmuteUser(id: $id) { user { viewerIsMuting } } }',
  deleteAccount:
    'mutation ($confirm: String!) { deleteAccount(confirm: $confirm) { accountDeletion { requestedAt startsAt } } }',
  cancelAccountDeletion:
    'mutation { cancelAccountDeletion { user { username accountDeletion { startsAt } } } }',
  requestExport:
    'mutation { requestExport { accountExport { requestedAt state writtenRows path expiresAt } } }',
  unshareTweet: 'mutation ($id: ID!) { unshareTweet(id: $id) { tweet { tweetId shareCount } } }',
};
export type Mutation = keyof typeof mutations;
export type Variables = Readonly<Record<string, unknown>>;

/** Sends a mutation as `who`: the id of a user, a `service`, a `Bearer` header, or null for no token. */
export function send(
  server: Harness,
  who: string | null,
  name: Mutation,
  variables: Variables,
): Promise<Answer> {
  return server.query(mutations[name], variables, who);
}

/** Sends a mutation and resolves to the codes of its errors; none if it succeeds. */
export async function codesOf(
  server: Harness,
  who: string | null,
  name: Mutation,
  variables: Variables,
): Promise<string[]> {
  const { errors } = await send(server, who, name, variables);
  return errors.map(({ extensions }) => extensions.code);
}

/** Sends a mutation that must succeed, and resolves to its payload. */
export async function act(
  server: Harness,
  who: string,
  name: Mutation,
  variables: Variables,
): Promise<unknown> {
  const { data, errors } = await send(server, who, name, variables);
  expect(errors).toEqual([]);
  return (data as Readonly<Record<string, unknown>>)[name];
}

/** Creates or updates a user; it must succeed. */
export async function put(
  server: Harness,
  who: string,
  name: 'createUser' | 'updateUser',
  input: Variables,
): Promise<Person> {
  return ((await act(server, who, name, { input })) as { user: Person }).user;
}

/** Posts a tweet; it must succeed. */
export async function post(server: Harness, who: string, input: Variables): Promise<Posted> {
  return ((await act(server, who, 'createTweet', { input })) as { tweet: Posted }).tweet;
}

/** Sends a query that must succeed, and resolves to its data. */
export async function ask(server: Harness, source: string, who = 'service'): Promise<unknown> {
  const { data, errors } = await server.query(source, {}, who);
  expect(errors).toEqual([]);
  return data;
}

/** The other fields of a tweet that has only text. */
export const plain = {
  language: 'en',
  location: null,
  hashtags: null,
  mentions: null,
  inReplyToId: null,
  quotedTweetId: null,
  sharedTweetId: null,
  sharedAuthorId: null,
  rootId: null,
};
