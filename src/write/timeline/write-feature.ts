import { timelineDeletionParts } from './account-deletion';
import type { WriteFeature } from '../write-feature';
import { timelineTable } from './derived';
import { modeChunks, modeHandler } from './change-mode';
import { eraseChunk } from './erase';
import { fanOutChunk } from './fan-out';

/** The tasks of timelines: changes of an author's fan-out mode, and the chunks of long tasks. */
export const timelineWrites: WriteFeature = {
  mutations: [],
  tasks: { mode: modeHandler, 'fan-out': fanOutChunk, erase: eraseChunk, ...modeChunks },
  derived: [timelineTable],
  accountDeletion: timelineDeletionParts,
};
