import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../context';
import { Reads, rowsOf, sharedByObject } from '../../kit/cost/reads';
import { User } from '../user/user.type';
import { answerFor } from '../viewer/viewer';
import { VIEWER_READS } from '../viewer/viewer-reads';
import { relations } from './follow.table';
import { isFollowing } from './relation';

/** One row has the relations of two users in both directions, so both fields of a user read it once. */
const RELATION = [sharedByObject(rowsOf(relations)), ...VIEWER_READS] as const;

/** The relations between a user and the caller's user. */
@Resolver(() => User)
export class ViewerRelationResolver {
  @Reads(...RELATION)
  @FieldResolver(() => Boolean, {
    description: "Whether the caller's user follows this user; false without a token.",
  })
  viewerIsFollowing(@Root() { userId }: User, @Ctx() { load, viewer }: Context) {
    return answerFor(viewer, false, (viewerId) => isFollowing(load, viewerId, userId));
  }

  @Reads(...RELATION)
  @FieldResolver(() => Boolean, {
    description: "Whether this user follows the caller's; false without a token.",
  })
  isFollowingViewer(@Root() { userId }: User, @Ctx() { load, viewer }: Context) {
    return answerFor(viewer, false, (viewerId) => isFollowing(load, userId, viewerId));
  }
}
