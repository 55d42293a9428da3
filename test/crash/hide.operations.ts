import { z } from 'zod';
import type { Operation } from './api';

export type HidingName = 'blockUser' | 'unblockUser' | 'muteUser' | 'unmuteUser';

const changed = z.object({
  username: z.string(),
  viewerIsBlocking: z.boolean(),
  viewerIsMuting: z.boolean(),
});

/** Blocks, unblocks, mutes or unmutes a user. */
export function hidingOperation(name: HidingName): Operation<z.infer<typeof changed>> {
  const [declared, given] =
    name === 'muteUser'
      ? ['$id: ID!, $until: DateTime, $scope: [MuteScope!]', 'id: $id, until: $until, scope: $scope']
      : ['$id: ID!', 'id: $id'];
  return {
    name,
    source: `mutation (${declared}) { payload: ${name}(${given}) { user { username viewerIsBlocking viewerIsMuting } } }`,
    data: z.object({ payload: z.object({ user: changed }) }).transform(({ payload }) => payload.user),
  };
}

const mutedWord = z.object({
  id: z.string(),
  text: z.string(),
  exceptFollowed: z.boolean(),
  where: z.array(z.string()),
});
const mutedWordFields = 'id text exceptFollowed where';

/** Mutes a text. */
export const muteWords = {
  name: 'muteWords',
  source: `mutation ($input: MuteWordsInput!) { payload: muteWords(input: $input) { mutedWord { ${mutedWordFields} } } }`,
  data: z
    .object({ payload: z.object({ mutedWord }) })
    .transform(({ payload }): z.infer<typeof mutedWord> => payload.mutedWord),
};

/** Removes a muted text; the answer is its id. */
export const unmuteWords: Operation<string> = {
  name: 'unmuteWords',
  source: 'mutation ($id: ID!) { payload: unmuteWords(id: $id) { removedId } }',
  data: z
    .object({ payload: z.object({ removedId: z.string() }) })
    .transform(({ payload }) => payload.removedId),
};

type ThreadName = 'muteThread' | 'unmuteThread';

/** Mutes the thread of a tweet, or not any more; the answer is the id of its root, null if the caller may see nothing of it any more. */
export function threadOperation(name: ThreadName): Operation<string | null> {
  return {
    name,
    source: `mutation ($id: ID!) { payload: ${name}(id: $id) { root { tweetId } } }`,
    data: z
      .object({ payload: z.object({ root: z.object({ tweetId: z.string() }) }).nullable() })
      .transform(({ payload }) => payload?.root.tweetId ?? null),
  };
}

const userEdge = z.object({ node: z.object({ username: z.string() }) });

/** What the caller hides. */
export const ownHidden = {
  name: 'viewer',
  source: `{ viewer { blockedUsers(first: 100) { edges { node { username } } }
    mutedUsers(first: 100) { edges { until scope node { username } } } mutedWords { ${mutedWordFields} until } } }`,
  data: z
    .object({
      viewer: z.object({
        blockedUsers: z.object({ edges: z.array(userEdge) }),
        mutedUsers: z.object({
          edges: z.array(userEdge.extend({ until: z.string().nullable(), scope: z.array(z.string()) })),
        }),
        mutedWords: z.array(mutedWord.extend({ until: z.string().nullable() })),
      }),
    })
    .transform(({ viewer }) => viewer),
};

/** Asks for the deletion of the caller's account, or takes that back. */
export const deleteAccount: Operation<string> = {
  name: 'deleteAccount',
  source:
    'mutation ($confirm: String!) { payload: deleteAccount(confirm: $confirm) { accountDeletion { startsAt } } }',
  data: z
    .object({ payload: z.object({ accountDeletion: z.object({ startsAt: z.string() }) }) })
    .transform(({ payload }) => payload.accountDeletion.startsAt),
};

/** Takes the deletion of the caller's account back; the answer is the username. */
export const cancelAccountDeletion: Operation<string> = {
  name: 'cancelAccountDeletion',
  source: 'mutation { payload: cancelAccountDeletion { user { username } } }',
  data: z
    .object({ payload: z.object({ user: z.object({ username: z.string() }) }) })
    .transform(({ payload }) => payload.user.username),
};
