import { Args, Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../context';
import type { Load } from '../kit/load';
import { connect } from '../kit/relay/connection';
import { monthList } from '../kit/relay/month-list';
import { PageArgs, pageOf } from '../kit/relay/page';
import { users } from '../user/user.table';
import { User } from '../user/user.type';
import { followersByUser, followingByUser } from './follow.table';
import { FollowConnection, FollowEdge } from './follow.type';

/** Who follows whom. */
@Resolver(() => User)
export class FollowResolver {
  @FieldResolver(() => FollowConnection, {
    description:
      'Who follows the user, newest first, then by id descending. Costs one partition of `buckets` and, per month walked, one of `followers_by_user`; at most 64 a page.',
  })
  followers(@Root() { userId }: User, @Args(() => PageArgs) args: PageArgs, @Ctx() { load }: Context) {
    const list = monthList(load, followersByUser, { userId }, (row) => [row.followedAt, row.followerId]);
    return connect(list, pageOf(list.name, args), ({ followedAt, followerId }, cursor) => ({
      cursor,
      followedAt,
      userId: followerId,
    }));
  }

  @FieldResolver(() => FollowConnection, {
    description:
      'Whom the user follows, newest first, then by id descending. Costs one partition of `buckets` and, per month walked, one of `following_by_user`; at most 64 a page.',
  })
  following(@Root() { userId }: User, @Args(() => PageArgs) args: PageArgs, @Ctx() { load }: Context) {
    const list = monthList(load, followingByUser, { userId }, (row) => [row.followedAt, row.followeeId]);
    return connect(list, pageOf(list.name, args), ({ followedAt, followeeId }, cursor) => ({
      cursor,
      followedAt,
      userId: followeeId,
    }));
  }
}

/** The user at the end of a relation. */
@Resolver(() => FollowEdge)
export class FollowEdgeResolver {
  @FieldResolver(() => User, {
    description: 'Costs one partition of `users`; a page of them is one request.',
  })
  node(@Root() edge: FollowEdge, @Ctx() { load }: Context) {
    return userOf(load, edge);
  }
}

/** The users of a page. */
@Resolver(() => FollowConnection)
export class FollowConnectionResolver {
  @FieldResolver(() => [User], {
    description: 'The users of the page. Costs one partition of `users` each; a page of them is one request.',
  })
  nodes(@Root() { edges }: FollowConnection, @Ctx() { load }: Context) {
    return Promise.all(edges.map((edge) => userOf(load, edge)));
  }
}

function userOf(load: Load, { userId }: FollowEdge) {
  return load(users.get, { userId });
}
