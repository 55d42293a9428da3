import { hiddenByUser } from '../../features/hidden/hidden.table';
import { clearOwn, sweepRows, type LeavingPart, type Swept } from '../leaving';

/** The blocks and mutes of a person who leaves. */
export const hiddenLeaving: readonly LeavingPart[] = [clearOwn('hidden', hiddenByUser)];

/** The rows of those who block or mute who has left: nothing but a look at all says who does. */
export const hiddenSwept: readonly Swept[] = [
  sweepRows(hiddenByUser, ['viewerId', 'targetId'], { isDecided: false }),
];
