import type { WriteFeature } from '../write-feature';
import { notificationTables } from './derived';
import { notificationExported } from './exported';
import { notificationDeletionParts, notificationSwept } from './account-deletion';
import { NotificationMutations } from './notification.mutations';

/** The mutations of the caller's notifications. The notifications themselves follow from acts, by the tasks of these. */
export const notificationWrites: WriteFeature = {
  mutations: [NotificationMutations],
  tasks: {},
  derived: notificationTables,
  accountDeletion: notificationDeletionParts,
  exported: notificationExported,
  swept: notificationSwept,
};
