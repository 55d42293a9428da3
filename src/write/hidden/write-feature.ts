import type { WriteFeature } from '../write-feature';
import { hiddenTable } from './derived';
import { HiddenMutations, MutedWordMutations } from './hidden.mutations';
import { hiddenExported } from './exported';
import { hiddenDeletionParts, hiddenSwept } from './account-deletion';
import { MutedThreadMutations } from './muted-threads.mutations';
import { blockHandler } from './set-blocked';

/** The mutations of blocks and mutes, also of threads, the tasks that they enqueue, and what follows from them. */
export const hiddenWrites: WriteFeature = {
  mutations: [HiddenMutations, MutedWordMutations, MutedThreadMutations],
  tasks: { block: blockHandler },
  derived: [hiddenTable],
  accountDeletion: hiddenDeletionParts,
  exported: hiddenExported,
  swept: hiddenSwept,
};
