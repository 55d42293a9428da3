import { hiddenByUser } from '../../features/hidden/hidden.table';
import { clearOwn, sweepRows, type DeletionPart, type Swept } from '../account-deletion';

/** The blocks and mutes of a person who leaves. */
export const hiddenDeletionParts: readonly DeletionPart[] = [clearOwn('hidden', hiddenByUser)];

/** The rows in which others block or mute a person who leaves. Only a look at all rows finds them. */
export const hiddenSwept: readonly Swept[] = [
  sweepRows(hiddenByUser, ['viewerId', 'targetId'], { isDecided: false }),
];
