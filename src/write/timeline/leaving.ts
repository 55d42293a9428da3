import { timelinesByUser } from '../../features/timeline/timeline.lists';
import { fanoutModes } from '../../features/timeline/timeline.table';
import { clearOwn, type LeavingPart } from '../leaving';

/** The timeline of a person who leaves. What the person has posted leaves the timelines of others as it is deleted. */
export const timelineLeaving: readonly LeavingPart[] = [clearOwn('timelines', timelinesByUser, fanoutModes)];
