import type { WriteFeature } from '../write-feature';
import { shareHandler } from './set-shared';
import { ShareMutations } from './share.mutations';

/** The mutations of shares, and the tasks that they enqueue. */
export const shareWrites: WriteFeature = {
  mutations: [ShareMutations],
  tasks: { share: shareHandler },
};
