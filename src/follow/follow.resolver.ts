import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../context';
import type { Load } from '../kit/data/load';
import { stretchReads, pagesOf } from '../kit/cost/lists';
import { Reads, rowsOf, sharedByObject, upTo } from '../kit/cost/reads';
import { connect } from '../kit/relay/connection';
import { bucketList } from '../kit/lists/bucket-list';
import { PageArgs, pageOf } from '../kit/relay/page';
import { shownUser, users } from '../user/user.table';
import { User } from '../user/user.type';
import { VIEWER_READS } from '../viewer/viewer-reads';
import { followersByUser, followingByUser, relations } from './follow.table';
import { FollowConnection, FollowEdge } from './follow.type';
import { relationTo } from './relation';

/** One row has the relations of two users in both directions, so both fields of a user read it once. */
const RELATION = [sharedByObject(rowsOf(relations)), ...VIEWER_READS] as const;

/** The followers and followees of a user. */
@Resolver(() => User)
export class FollowResolver {
  @Reads(pagesOf(followersByUser), stretchReads())
  @FieldResolver(() => FollowConnection, {
    description: 'The followers of the user, newest follow first, then by id descending.',
  })
  followers(@Root() { userId }: User, @Args(() => PageArgs) args: PageArgs, @Ctx() { load }: Context) {
    const list = bucketList(load, followersByUser, { userId }, (row) => [row.followedAt, row.followerId]);
    return connect(
      list,
      pageOf(list.name, args),
      ({ followedAt, followerId }, cursor) => ({ cursor, followedAt, userId: followerId }),
      ({ followerId }) => followerId,
    );
  }

  @Reads(pagesOf(followingByUser), stretchReads())
  @FieldResolver(() => FollowConnection, {
    description: 'The users that the user follows, newest follow first, then by id descending.',
  })
  following(@Root() { userId }: User, @Args(() => PageArgs) args: PageArgs, @Ctx() { load }: Context) {
    const list = bucketList(load, followingByUser, { userId }, (row) => [row.followedAt, row.followeeId]);
    return connect(
      list,
      pageOf(list.name, args),
      ({ followedAt, followeeId }, cursor) => ({ cursor, followedAt, userId: followeeId }),
      ({ followeeId }) => followeeId,
    );
  }
}

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

/** The user at the end of a relation. */
@Resolver(() => FollowEdge)
export class FollowEdgeResolver {
  @Reads(rowsOf(users))
  @FieldResolver(() => User, { description: 'The follower or followee.' })
  node(@Root() edge: FollowEdge, @Ctx() { load }: Context) {
    return userOf(load, edge);
  }
}

/** The users of a page. */
@Resolver(() => FollowConnection)
export class FollowConnectionResolver {
  @Reads(upTo(users, ({ limit }) => ({ reads: limit, rows: limit })))
  @FieldResolver(() => [User], { description: 'The users of the page.' })
  nodes(@Root() { edges }: FollowConnection, @Ctx() { load }: Context) {
    return Promise.all(edges.map((edge) => userOf(load, edge)));
  }
}

function userOf(load: Load, { userId }: FollowEdge) {
  return load(shownUser, { userId });
}
