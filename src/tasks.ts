import { followHandler } from './follow/follow';
import type { Handler } from './kit/outbox';
import { likeHandler } from './like/like';
import { shareHandler } from './share/share';
import { commentHandler } from './news/comment';
import { articleHandler } from './news/publish';
import { profileHandler } from './news/renamed';
import { modeHandler } from './timeline/mode';
import { deleteHandler } from './tweet/delete';
import { postHandler } from './tweet/post';
import type { Writing } from './writing';

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
