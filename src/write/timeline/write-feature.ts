import type { WriteFeature } from '../write-feature';
import { modeHandler } from './fan-out-mode';

/** The mutations of timelines, and the work that they leave behind. */
export const timelineWrites: WriteFeature = {
  mutations: [],
  tasks: { mode: modeHandler },
};
