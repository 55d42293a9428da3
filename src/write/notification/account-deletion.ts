import {
  notificationGroups,
  notificationMembers,
  notificationsByUser,
  notifiedByTweet,
} from '../../features/notification/notification.table';
import { endFollowGroups } from './end-groups';
import { clearOwn, idsAmong, sweepRows, type DeletionPart, type Swept } from '../account-deletion';

/** The notifications of a person who leaves. Those that the person caused are taken back with the acts. */
export const notificationDeletionParts: readonly DeletionPart[] = [
  {
    name: 'groups of followers',
    phase: 'lists',
    tables: [notificationGroups, notificationMembers],
    async *remove(writeServices, { userId }) {
      await endFollowGroups(writeServices, userId);
      yield { after: '', rows: {} };
    },
  },
  clearOwn('notifications', notificationsByUser),
];

/** The rows of former members in the groups of others, and the groups of the person that were not ended with the tweets and follows. */
export const notificationSwept: readonly Swept[] = [
  {
    table: notificationGroups,
    columns: ['userId'],
    removals(row, userIds) {
      const { groupId, section, at, actorId, userId } = row;
      const owner = idsAmong(userIds, [userId]);
      if (owner.length > 0)
        return [
          { query: notificationGroups.clear, params: [groupId], ...{ userIds: owner, isDecided: false } },
        ];
      const actor = idsAmong(userIds, [actorId]);
      if (actor.length === 0) return [];
      const query = `${notificationGroups.remove} IF EXISTS`;
      return [{ query, params: [groupId, section, at, actorId], userIds: actor, isDecided: true }];
    },
  },
  sweepRows(notificationMembers, ['actorId', 'userId'], { isDecided: true }),
  sweepRows(notifiedByTweet, ['userId'], { isDecided: false }),
];
