import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, Info, Query, Resolver } from 'type-graphql';
import type { Context } from '../../context';
import { Reads } from '../../kit/cost/reads';
import { selectsOnlyKey } from '../../kit/cost/selects';
import { users } from '../user/user.table';
import { User } from '../user/user.type';
import { VIEWER_READS } from './viewer-reads';

/** The user who sends the request. */
@Resolver()
export class ViewerResolver {
  @Reads(...VIEWER_READS)
  @Query(() => User, {
    nullable: true,
    description:
      "The user of the request's token, also while its account is being deleted. Null without a token, for a service, and for an identity that has no user yet.",
  })
  async viewer(@Ctx() { load, viewer }: Context, @Info() info: GraphQLResolveInfo) {
    const userId = await viewer.accountId();
    if (userId === null) return null;
    return selectsOnlyKey(info, 'User', 'userId') ? { userId } : load(users.get, { userId });
  }
}
