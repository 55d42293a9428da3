import { Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../context';
import { Reads } from '../kit/model/reads';
import { users } from '../user/user.table';
import { User } from '../user/user.type';
import { usersByIdentity } from './viewer.table';

/** Who is asking. */
@Resolver()
export class ViewerResolver {
  @Reads(users, usersByIdentity)
  @Query(() => User, {
    nullable: true,
    description:
      "The user of the request's token; null without one. Costs one partition each of `users_by_identity` and `users`.",
  })
  async viewer(@Ctx() { load, viewer }: Context) {
    const userId = await viewer.userId();
    return userId === null ? null : load(users.get, { userId });
  }
}
