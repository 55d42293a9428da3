import { shortTask, type DeclaredHandler } from '../../kit/work/handler';
import { updateCopiesLater } from '../news/update-copies';
import type { WriteContext } from '../write-context';
import { copyProfile } from './profile-copy';

/** About how many rows a change of a profile reads and writes. */
const ROWS_OF_PROFILE = 10;

/** Copies a user's profile after a sign-up or a change that was interrupted, and leaves the copies in news to another task. */
export function profileHandler(writeContext: WriteContext): DeclaredHandler {
  return shortTask(ROWS_OF_PROFILE, async ({ userId = '' }) => {
    await copyProfile(writeContext.database, userId);
    await updateCopiesLater(writeContext, userId);
  });
}
