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
import type { Writing } from './write-context';

/** Each kind of work that is finished behind mutations. */
export function taskHandlers(writing: Writing): Readonly<Record<string, Handler>> {
  return {
    follow: followHandler(writing),
    post: postHandler(writing),
    delete: deleteHandler(writing),
    like: likeHandler(writing),
    share: shareHandler(writing),
    mode: modeHandler(writing),
    article: articleHandler(writing),
    comment: commentHandler(writing),
    profile: profileHandler(writing),
  };
}
