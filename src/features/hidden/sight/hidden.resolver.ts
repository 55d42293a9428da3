import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../context';
import { Reads, rowsOf, sharedByObject } from '../../../kit/cost/reads';
import { relations } from '../../follow/follow.table';
import { User } from '../../user/user.type';
import { SIGHT_READS } from '../hidden-reads';

/** The fields of a user that tell what the caller's user hides of it. */
@Resolver(() => User)
export class HiddenResolver {
  @Reads(...SIGHT_READS)
  @FieldResolver(() => Boolean, {
    description: "Whether the caller's user blocks this user; false without a token.",
  })
  async viewerIsBlocking(@Root() { userId }: User, @Ctx() { sight }: Context) {
    return (await sight())?.blocks(userId) === true;
  }

  @Reads(sharedByObject(rowsOf(relations)), ...SIGHT_READS)
  @FieldResolver(() => Boolean, {
    description: "Whether this user blocks the caller's; false without a token.",
  })
  async isBlockingViewer(@Root() { userId }: User, @Ctx() { sight }: Context) {
    const seen = await sight();
    if (seen === null || seen.viewerId === userId) return false;
    if (seen.mustLearnAt('LIST')) await seen.learn([userId]);
    return seen.isBlockedBy(userId);
  }

  @Reads(...SIGHT_READS)
  @FieldResolver(() => Boolean, {
    description: "Whether the caller's user mutes this user; false without a token.",
  })
  async viewerIsMuting(@Root() { userId }: User, @Ctx() { sight }: Context) {
    const seen = await sight();
    return seen !== null && seen.muteOf(userId) !== null;
  }
}
