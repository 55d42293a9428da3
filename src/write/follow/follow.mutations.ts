import { Field, ObjectType, Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import { User } from '../../features/user/user.type';
import type { MutationContext } from '../mutation-context';
import { badInput } from '../../kit/base/errors';
import { Bounded, ID_BOUNDS } from '../../kit/input/input-bounds';
import { Reads, rowsOf } from '../../kit/cost/reads';
import { idIn, nodeNotFound } from '../../kit/graphql/global-id';
import { isBlocked } from '../../features/follow/block';
import { blockedBetween } from '../../features/hidden/blocked';
import { SIGHT_READS } from '../../features/hidden/hidden-reads';
import { seeUser } from '../../features/hidden/hiding';
import { shownUser } from '../../features/user/user-by-username';
import { users } from '../../features/user/user.table';
import { requireWriter } from '../../features/viewer/viewer';
import { VIEWER_READS } from '../../features/viewer/viewer-reads';
import { MAX_FOLLOWING, setFollowing } from './set-following';
import { relations } from '../../features/follow/follow.table';
import { relationTo, type Relation } from '../../features/follow/relation';
import { createLoad } from '../../kit/reads/load';

@ObjectType({ simpleResolvers: true })
abstract class ChangedFollow {
  @Field(() => User, { description: "The caller's user after the mutation." })
  follower: User;

  @Field(() => User, { description: 'The other user after the mutation.' })
  followee: User;
}

/** The result of following. */
@ObjectType({ simpleResolvers: true, description: 'The result of `followUser`.' })
class FollowUserPayload extends ChangedFollow {}

/** The result of unfollowing. */
@ObjectType({ simpleResolvers: true, description: 'The result of `unfollowUser`.' })
class UnfollowUserPayload extends ChangedFollow {}

/** Following and unfollowing, as the caller's user. */
@Resolver()
export class FollowMutations {
  @Reads(rowsOf(users, 3), rowsOf(relations), ...VIEWER_READS, ...SIGHT_READS)
  @Mutation(() => FollowUserPayload, {
    nullable: true,
    description: `Follows a user as the caller; the user's newest hundred tweets are in the caller's timeline when this answers, the others soon after. Fails with \`UNAUTHENTICATED\` without a user, \`NOT_FOUND\`, \`FORBIDDEN\` with the reason \`BLOCKED\` where one of the two blocks the other, \`BAD_USER_INPUT\` for oneself or with ${MAX_FOLLOWING.toLocaleString('en')} followed accounts, or \`RATE_LIMITED\` for many follows, or many changes to one user, within an hour.`,
  })
  followUser(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() context: MutationContext) {
    return changeFollowing(context, id, true);
  }

  @Reads(rowsOf(users, 3), rowsOf(relations), ...VIEWER_READS, ...SIGHT_READS)
  @Mutation(() => UnfollowUserPayload, {
    nullable: true,
    description:
      "Unfollows a user as the caller; the user's tweets leave the caller's timeline at once. Fails with `UNAUTHENTICATED` without a user, `NOT_FOUND`, `BAD_USER_INPUT` for oneself, or `RATE_LIMITED` for many follows or deletions, or many changes to one user, within an hour.",
  })
  unfollowUser(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() context: MutationContext) {
    return changeFollowing(context, id, false);
  }
}

async function changeFollowing(context: MutationContext, id: string, follows: boolean) {
  const { load, viewer, writeServices, limits } = context;
  const follower = await requireWriter(viewer);
  const followee = idIn('User', id);
  if (follower === followee)
    throw badInput("The id must be that of another user, but got the caller's own id.", 'id');
  const [stored, isBetweenBlocked] = await Promise.all([
    load(users.get, { userId: followee }),
    follows && isBlocked(load, follower, followee),
  ]);
  const requireShown = () => {
    if (shownUser(load, stored) === null) throw nodeNotFound('User', followee);
  };
  // A user who was suspended meanwhile can be unfollowed.
  if (follows || stored === null) requireShown();
  if (isBetweenBlocked) throw blockedBetween();
  const isChanged = await limits.pair('follow', followee, async () => {
    const began = new Date();
    const hasChanged = ({ at }: Relation) => at !== null && at >= began;
    const change = () => setFollowing(writeServices, follower, followee, follows);
    const amounts = follows ? { follows: 1 } : { follows: 1, deletions: 1 };
    const { database, quotas } = writeServices;
    const isDone = async () =>
      (await relationTo(createLoad(database), follower, followee)).follows === follows;
    return hasChanged(await quotas.spend(follower, amounts, change, hasChanged, isDone));
  });
  // If the call changed nothing, a hidden user is reported as missing, so that the call does not reveal the user.
  if (!isChanged) requireShown();
  load.forget();
  const [followerRow, followeeRow] = await Promise.all([
    load(users.get, { userId: follower }),
    seeUser(context, load(users.get, { userId: followee })),
  ]);
  return { follower: followerRow, followee: followeeRow };
}
