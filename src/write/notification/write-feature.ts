import type { WriteFeature } from '../write-feature';
import { notificationTables } from './derived';
import { notificationExported } from './exported';
import { notificationLeaving, notificationSwept } from './leaving';
import { NotificationMutations } from './notification.mutations';

/** What the caller does with notifications. They follow from acts, by the tasks of these. */
export const notificationWrites: WriteFeature = {
  mutations: [NotificationMutations],
  tasks: {},
  derived: notificationTables,
  leaving: notificationLeaving,
  exported: notificationExported,
  swept: notificationSwept,
};
