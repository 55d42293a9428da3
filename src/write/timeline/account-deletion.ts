import { timelinesByUser } from '../../features/timeline/timeline.lists';
import { fanoutModes } from '../../features/timeline/timeline.table';
import { clearOwn, type DeletionPart } from '../account-deletion';

/** The timeline of a person who leaves. The person's tweets leave the timelines of others as they are deleted. */
export const timelineDeletionParts: readonly DeletionPart[] = [
  clearOwn('timelines', timelinesByUser, fanoutModes),
];
