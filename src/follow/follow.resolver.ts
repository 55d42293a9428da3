import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import type { Context } from '../context';
import { badInput, notFound } from '../kit/errors';
import { Bounded, ID_BOUNDS } from '../kit/graphql/input-bounds';
import type { Load } from '../kit/load';
import { bucketsOf, pagesOf } from '../kit/cost/lists';
import { Reads, rowsOf, sharedByObject, upTo } from '../kit/cost/reads';
import { connect } from '../kit/relay/connection';
import { monthList } from '../kit/relay/month-list';
import { idIn } from '../kit/relay/node';
import { PageArgs, pageOf } from '../kit/relay/page';
import { users } from '../user/user.table';
import { User } from '../user/user.type';
import { requireViewer } from '../viewer/viewer';
import { VIEWER_READS } from '../viewer/viewer-reads';
import { MAX_FOLLOWING, setFollowing } from '../write/follow/set-following';
import { followersByUser, followingByUser, relations } from './follow.table';
import { FollowConnection, FollowEdge, FollowPayload } from './follow.type';
import { relationTo } from './relation';

/** One row says who of two users follows whom. */
const RELATION = [sharedByObject(rowsOf(relations)), ...VIEWER_READS] as const;

/** Who follows whom. */
@Resolver(() => User)
export class FollowResolver {
  @Reads(pagesOf(followersByUser), bucketsOf())
  @FieldResolver(() => FollowConnection, {
    description: 'Who follows the user, newest first, then by id descending.',
  })
  followers(@Root() { userId }: User, @Args(() => PageArgs) args: PageArgs, @Ctx() { load }: Context) {
    const list = monthList(load, followersByUser, { userId }, (row) => [row.followedAt, row.followerId]);
    return connect(
      list,
      pageOf(list.name, args),
      ({ followedAt, followerId }, cursor) => ({ cursor, followedAt, userId: followerId }),
      ({ followerId }) => followerId,
    );
  }

  @Reads(pagesOf(followingByUser), bucketsOf())
  @FieldResolver(() => FollowConnection, {
    description: 'Whom the user follows, newest first, then by id descending.',
  })
  following(@Root() { userId }: User, @Args(() => PageArgs) args: PageArgs, @Ctx() { load }: Context) {
    const list = monthList(load, followingByUser, { userId }, (row) => [row.followedAt, row.followeeId]);
    return connect(
      list,
      pageOf(list.name, args),
      ({ followedAt, followeeId }, cursor) => ({ cursor, followedAt, userId: followeeId }),
      ({ followeeId }) => followeeId,
    );
  }
}

/** How a user stands to the one who asks. */
@Resolver(() => User)
export class ViewerRelationResolver {
  @Reads(...RELATION)
  @FieldResolver(() => Boolean, {
    description:
      "Whether the caller's user follows this one; false without a token. A page of them is one request.",
  })
  async viewerIsFollowing(@Root() { userId }: User, @Ctx() { load, viewer }: Context) {
    const viewerId = await viewer.userId();
    return viewerId !== null && viewerId !== userId && (await relationTo(load, viewerId, userId)).follows;
  }

  @Reads(...RELATION)
  @FieldResolver(() => Boolean, {
    description:
      "Whether this user follows the caller's; false without a token. A page of them is one request.",
  })
  async isFollowingViewer(@Root() { userId }: User, @Ctx() { load, viewer }: Context) {
    const viewerId = await viewer.userId();
    return viewerId !== null && viewerId !== userId && (await relationTo(load, userId, viewerId)).follows;
  }
}

/** Following, by the caller's user. */
@Resolver()
export class FollowMutations {
  @Reads(rowsOf(users, 3), rowsOf(relations), ...VIEWER_READS)
  @Mutation(() => FollowPayload, {
    description: `Has the caller follow a user: the newest hundred tweets of the followed are in the timeline when this answers, the rest soon after. Following again changes nothing. \`UNAUTHENTICATED\` without a user, \`NOT_FOUND\`, \`BAD_USER_INPUT\` for oneself and for who follows ${MAX_FOLLOWING.toLocaleString('en')} accounts already. Writes by a lightweight transaction on \`relations\` and two on \`tallies\`, and a row for each of those tweets.`,
  })
  followUser(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() context: Context) {
    return changeFollowing(context, id, true);
  }

  @Reads(rowsOf(users, 3), rowsOf(relations), ...VIEWER_READS)
  @Mutation(() => FollowPayload, {
    description:
      'The caller stops following a user: from the next read on, the timeline has none of their tweets. Unfollowing again changes nothing. `UNAUTHENTICATED` without a user, `NOT_FOUND`. Writes as `followUser` does.',
  })
  unfollowUser(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() context: Context) {
    return changeFollowing(context, id, false);
  }
}

async function changeFollowing({ load, viewer, writing, limits }: Context, id: string, follows: boolean) {
  const follower = await requireViewer(viewer);
  const followee = idIn('User', id);
  if (follower === followee) throw badInput('The id must be one of another user, but got the own one.');
  if ((await load(users.get, { userId: followee })) === null)
    throw notFound(`User ${followee} must be there, but is not.`);
  await limits.pair('follow', followee, async () => {
    const began = new Date();
    const { at } = await setFollowing(writing, follower, followee, follows);
    return at !== null && at >= began;
  });
  load.forget();
  const [one, other] = await Promise.all([
    load(users.get, { userId: follower }),
    load(users.get, { userId: followee }),
  ]);
  return { follower: one, followee: other };
}

/** The user at the end of a relation. */
@Resolver(() => FollowEdge)
export class FollowEdgeResolver {
  @Reads(rowsOf(users))
  @FieldResolver(() => User, { description: 'A page of them is one request.' })
  node(@Root() edge: FollowEdge, @Ctx() { load }: Context) {
    return userOf(load, edge);
  }
}

/** The users of a page. */
@Resolver(() => FollowConnection)
export class FollowConnectionResolver {
  @Reads(upTo(users, ({ limit }) => ({ reads: limit, rows: limit })))
  @FieldResolver(() => [User], { description: 'The users of the page, read by one request.' })
  nodes(@Root() { edges }: FollowConnection, @Ctx() { load }: Context) {
    return Promise.all(edges.map((edge) => userOf(load, edge)));
  }
}

function userOf(load: Load, { userId }: FollowEdge) {
  return load(users.get, { userId });
}
