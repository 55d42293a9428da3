import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../context';
import { Reads, rowsOf, sharedByObject } from '../../kit/cost/reads';
import { User } from '../user/user.type';
import { VIEWER_READS } from '../viewer/viewer-reads';
import { relations } from './follow.table';
import { relationTo } from './relation';

/** One row has the relations of two users in both directions, so both fields of a user read it once. */
const RELATION = [sharedByObject(rowsOf(relations)), ...VIEWER_READS] as const;

/** The relations between a user and the caller's user. */
@Resolver(() => User)
export class ViewerRelationResolver {
  @Reads(...RELATION)
  @FieldResolver(() => Boolean, {
    description: "Whether the caller's user follows this user; false without a token.",
  })
  async viewerIsFollowing(@Root() { userId }: User, @Ctx() { load, viewer }: Context) {
    const viewerId = await viewer.userId();
    return viewerId !== null && viewerId !== userId && (await relationTo(load, viewerId, userId)).follows;
  }

  @Reads(...RELATION)
  @FieldResolver(() => Boolean, {
    description: "Whether this user follows the caller's; false without a token.",
  })
  async isFollowingViewer(@Root() { userId }: User, @Ctx() { load, viewer }: Context) {
    const viewerId = await viewer.userId();
    return viewerId !== null && viewerId !== userId && (await relationTo(load, userId, viewerId)).follows;
  }
}
