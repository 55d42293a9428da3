import { Arg, Ctx, ID, Mutation, Resolver } from 'type-graphql';
import type { MutationContext } from '../mutation-context';
import { badInput, notFound } from '../../kit/base/errors';
import { Bounded, ID_BOUNDS } from '../../kit/input/input-bounds';
import { Reads, rowsOf } from '../../kit/cost/reads';
import { idIn } from '../../kit/relay/node';
import { users } from '../../user/user.table';
import { requireViewer } from '../../viewer/viewer';
import { VIEWER_READS } from '../../viewer/viewer-reads';
import { MAX_FOLLOWING, setFollowing } from './set-following';
import { relations } from '../../follow/follow.table';
import { FollowPayload } from '../../follow/follow.type';

/** Following, by the caller's user. */
@Resolver()
export class FollowMutations {
  @Reads(rowsOf(users, 3), rowsOf(relations), ...VIEWER_READS)
  @Mutation(() => FollowPayload, {
    description: `Has the caller follow a user: the newest hundred tweets of the followed are in the timeline when this answers, the rest soon after. Following again changes nothing. \`UNAUTHENTICATED\` without a user, \`NOT_FOUND\`, \`BAD_USER_INPUT\` for oneself and for who follows ${MAX_FOLLOWING.toLocaleString('en')} accounts already. Writes by a lightweight transaction on \`relations\` and two on \`tallies\`, and a row for each of those tweets.`,
  })
  followUser(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() context: MutationContext) {
    return changeFollowing(context, id, true);
  }

  @Reads(rowsOf(users, 3), rowsOf(relations), ...VIEWER_READS)
  @Mutation(() => FollowPayload, {
    description:
      'The caller stops following a user: from the next read on, the timeline has none of their tweets. Unfollowing again changes nothing. `UNAUTHENTICATED` without a user, `NOT_FOUND`. Writes as `followUser` does.',
  })
  unfollowUser(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() context: MutationContext) {
    return changeFollowing(context, id, false);
  }
}

async function changeFollowing(
  { load, viewer, writeContext, limits }: MutationContext,
  id: string,
  follows: boolean,
) {
  const follower = await requireViewer(viewer);
  const followee = idIn('User', id);
  if (follower === followee) throw badInput('The id must be one of another user, but got the own one.');
  if ((await load(users.get, { userId: followee })) === null)
    throw notFound(`User ${followee} must be there, but is not.`);
  await limits.pair('follow', followee, async () => {
    const began = new Date();
    const { at } = await setFollowing(writeContext, follower, followee, follows);
    return at !== null && at >= began;
  });
  load.forget();
  const [one, other] = await Promise.all([
    load(users.get, { userId: follower }),
    load(users.get, { userId: followee }),
  ]);
  return { follower: one, followee: other };
}
