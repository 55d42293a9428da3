import { moderationDeletionParts } from './account-deletion';
import type { WriteFeature } from '../write-feature';
import { ModerationMutations } from './moderation.mutations';

/** The mutations of moderators. */
export const moderationWrites: WriteFeature = {
  mutations: [ModerationMutations],
  tasks: {},
  accountDeletion: moderationDeletionParts,
};
