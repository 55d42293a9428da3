import type { WriteFeature } from '../write-feature';
import { timelineTable } from './derived';
import { modeHandler } from './fan-out-mode';

/** The tasks of timelines: changes of an author's fan-out mode. */
export const timelineWrites: WriteFeature = {
  mutations: [],
  tasks: { mode: modeHandler },
  derived: [timelineTable],
};
