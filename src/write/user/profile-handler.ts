import type { Handler } from '../../kit/work/handler';
import { newsCopiesHandler } from '../news/update-copies';
import type { WriteContext } from '../write-context';
import { copyProfile } from './profile-copy';

/** Updates all copies of a user's profile after a sign-up or a change that was interrupted. */
export function profileHandler(writeContext: WriteContext): Handler {
  const copyToNews = newsCopiesHandler(writeContext);
  return async (payload, task) => {
    await copyProfile(writeContext.database, payload['userId'] ?? '');
    await copyToNews(payload, task);
  };
}
