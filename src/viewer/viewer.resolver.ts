import { Ctx, Query, Resolver } from 'type-graphql';
import type { Context } from '../context';
import { users } from '../user/user.table';
import { User } from '../user/user.type';

/** Who is asking. */
@Resolver()
export class ViewerResolver {
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
