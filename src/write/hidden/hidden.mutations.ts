import { Arg, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql';
import { relations } from '../../features/follow/follow.table';
import { MuteScope } from '../../features/hidden/hidden.enums';
import { SIGHT_READS } from '../../features/hidden/hidden-reads';
import { MAX_BLOCKED, MAX_MUTED } from '../../features/hidden/hidden.table';
import { users } from '../../features/user/user.table';
import { User } from '../../features/user/user.type';
import { shownUser } from '../../features/user/user-by-username';
import { requireWriter } from '../../features/viewer/viewer';
import { badInput } from '../../kit/base/errors';
import { Reads, rowsOf } from '../../kit/cost/reads';
import { idIn, nodeNotFound } from '../../kit/graphql/global-id';
import { DateTime } from '../../kit/input/date-time';
import { Bounded, ID_BOUNDS } from '../../kit/input/input-bounds';
import type { MutationContext } from '../mutation-context';
import { checkUntil, chosenOf } from './hidden.input';
import { setBlocked } from './set-blocked';
import { mute, readHidden, requireRoomForBlock, unmute } from './set-muted';

@ObjectType({ simpleResolvers: true })
abstract class ChangedHidden {
  @Field(() => User, { description: 'The other user after the mutation.' })
  user: User;
}

/** The result of blocking. */
@ObjectType({ simpleResolvers: true, description: 'The result of `blockUser`.' })
class BlockUserPayload extends ChangedHidden {}

/** The result of unblocking. */
@ObjectType({ simpleResolvers: true, description: 'The result of `unblockUser`.' })
class UnblockUserPayload extends ChangedHidden {}

/** The result of muting. */
@ObjectType({ simpleResolvers: true, description: 'The result of `muteUser`.' })
class MuteUserPayload extends ChangedHidden {}

/** The result of unmuting. */
@ObjectType({ simpleResolvers: true, description: 'The result of `unmuteUser`.' })
class UnmuteUserPayload extends ChangedHidden {}

const BLOCK_READS = [rowsOf(users, 3), rowsOf(relations), ...SIGHT_READS] as const;
const FAILURES =
  'Fails with `UNAUTHENTICATED` without a user, `NOT_FOUND`, `BAD_USER_INPUT` for oneself, or `RATE_LIMITED` for many such changes, or many to one user, within an hour.';

/** Blocking and muting users, as the caller's user. */
@Resolver()
export class HiddenMutations {
  @Reads(...BLOCK_READS)
  @Mutation(() => BlockUserPayload, {
    nullable: true,
    description: `Blocks a user as the caller, at most ${MAX_BLOCKED} users: neither sees what the other has made, or can act on it, and both stop following each other. ${FAILURES}`,
  })
  blockUser(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() context: MutationContext) {
    return changeHidden(context, 'block', id, async (userId, otherId) => {
      requireRoomForBlock(await readHidden(context.writeServices.database, userId), otherId);
      const change = () => setBlocked(context.writeServices, userId, otherId, true);
      return context.writeServices.quotas.spend(userId, { follows: 1 }, change, Boolean);
    });
  }

  @Reads(...BLOCK_READS)
  @Mutation(() => UnblockUserPayload, {
    nullable: true,
    description: `Ends a block of the caller's: what it hid is shown again, but no follow comes back. ${FAILURES}`,
  })
  unblockUser(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() context: MutationContext) {
    return changeHidden(context, 'block', id, (userId, otherId) => {
      const change = () => setBlocked(context.writeServices, userId, otherId, false);
      return context.writeServices.quotas.spend(userId, { deletions: 1 }, change, Boolean);
    });
  }

  @Reads(...BLOCK_READS)
  @Mutation(() => MuteUserPayload, {
    nullable: true,
    description: `Mutes a user as the caller, at most ${MAX_MUTED} users: what the user does is hidden from the caller until a moment or for ever, but on the user's profile and by its id; nobody is told, no follow ends, and muting again replaces what an earlier mute hides. ${FAILURES}`,
  })
  muteUser(
    @Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string,
    @Arg('until', () => DateTime, {
      nullable: true,
      description: 'When the mute ends; never if it is not given.',
    })
    until: Date | null | undefined,
    @Bounded({ maxItems: 5 })
    @Arg('scope', () => [MuteScope], {
      nullable: true,
      description: 'What it hides; everything if it is not given.',
    })
    scope: MuteScope[] | null | undefined,
    @Ctx() context: MutationContext,
  ) {
    const extent = {
      until: checkUntil(until),
      scope: chosenOf('scope', scope, Object.values(MuteScope)),
    };
    const { database, quotas } = context.writeServices;
    return changeHidden(context, 'mute', id, async (userId, otherId) => {
      await quotas.spend(userId, { follows: 1 }, () => mute(database, userId, otherId, extent));
      return true;
    });
  }

  @Reads(...BLOCK_READS)
  @Mutation(() => UnmuteUserPayload, {
    nullable: true,
    description: `Ends a mute of the caller's: what it hid is shown again. ${FAILURES}`,
  })
  unmuteUser(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() context: MutationContext) {
    const { database, quotas } = context.writeServices;
    return changeHidden(context, 'mute', id, (userId, otherId) =>
      quotas.spend(userId, { deletions: 1 }, () => unmute(database, userId, otherId), Boolean),
    );
  }
}

async function changeHidden(
  { load, viewer, limits }: MutationContext,
  kind: string,
  id: string,
  change: (userId: string, otherId: string) => Promise<boolean>,
) {
  const userId = await requireWriter(viewer);
  const otherId = idIn('User', id);
  if (userId === otherId) throw badInput("The id must be that of another user, but got the caller's own id.");
  if (shownUser(load, await load(users.get, { userId: otherId })) === null)
    throw nodeNotFound('User', otherId);
  await limits.pair(kind, otherId, () => change(userId, otherId));
  load.forget();
  return { user: await load(users.get, { userId: otherId }) };
}
