import { z } from 'zod';
import type { Operation } from './api';

const person = z.object({ username: z.string() });

const notification = z.object({
  id: z.string(),
  kind: z.string(),
  text: z.string(),
  listedAt: z.string(),
  isSeen: z.boolean(),
  actorCount: z.int(),
  tweet: z.object({ tweetId: z.string() }).nullable(),
  comment: z.object({ id: z.string() }).nullable(),
  actors: z.object({
    edges: z.array(z.object({ at: z.string(), node: person.extend({ userId: z.string() }) })),
  }),
});

/** A notification, with all its actors: a round has fewer people than a page. */
export type NotificationView = z.infer<typeof notification>;

const page = z.object({
  edges: z.array(z.object({ cursor: z.string(), node: notification })),
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
});

/** A page of the notifications of a user, with the badge. */
export const notificationsOf = {
  name: 'User.notifications',
  source: `query ($id: ID!, $first: Int!, $after: String) { node(id: $id) { ... on User {
    unreadNotifications { count isCapped }
    notifications(first: $first, after: $after) { pageInfo { hasNextPage endCursor } edges { cursor node {
      id kind text listedAt isSeen actorCount tweet { tweetId } comment { id }
      actors(first: 20) { edges { at node { username userId } } } } } } } } }`,
  data: z
    .object({
      node: z.object({
        unreadNotifications: z.object({ count: z.int(), isCapped: z.boolean() }),
        notifications: page,
      }),
    })
    .transform(({ node }) => node),
};

/** Marks the caller's notifications as seen; the answer is how many are left. */
export const markSeen: Operation<number> = {
  name: 'markNotificationsSeen',
  source:
    'mutation ($until: String!) { payload: markNotificationsSeen(until: $until) { unreadNotifications { count } } }',
  data: z
    .object({ payload: z.object({ unreadNotifications: z.object({ count: z.int() }) }) })
    .transform(({ payload }) => payload.unreadNotifications.count),
};
