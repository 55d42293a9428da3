import { followHandler } from './follow/set-following';
import type { Handler } from '../kit/outbox';
import { likeHandler } from './like/set-liked';
import { shareHandler } from './share/set-shared';
import { commentHandler } from './news/add-comment';
import { articleHandler } from './news/publish-article';
import { profileHandler } from './news/update-copies';
import { modeHandler } from './timeline/fan-out-mode';
import { deleteHandler } from './tweet/delete-tweet';
import { postHandler } from './tweet/post-tweet';
import type { WriteContext } from './write-context';

/** Each kind of work that is finished behind mutations. */
export function taskHandlers(writeContext: WriteContext): Readonly<Record<string, Handler>> {
  return {
    follow: followHandler(writeContext),
    post: postHandler(writeContext),
    delete: deleteHandler(writeContext),
    like: likeHandler(writeContext),
    share: shareHandler(writeContext),
    mode: modeHandler(writeContext),
    article: articleHandler(writeContext),
    comment: commentHandler(writeContext),
    profile: profileHandler(writeContext),
  };
}
