import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { MutationContext } from '../mutation-context';
import { createLoad } from '../../kit/data/load';
import { Reads, rowsOf } from '../../kit/cost/reads';
import { profileHandler } from '../news/update-copies';
import { requireViewer } from '../../viewer/viewer';
import { VIEWER_READS } from '../../viewer/viewer-reads';
import { usersByIdentity } from '../../viewer/viewer.table';
import { signUp, updateProfile } from './sign-up';
import { CreateUserInput, UpdateUserInput } from './user.input';
import { users, usersByTwitterAccount, usersByUsername } from '../../user/user.table';
import { UserPayload } from '../../user/user.type';

/** Making and changing users. */
@Resolver()
export class UserMutations {
  @Reads(
    rowsOf(users, 3),
    rowsOf(usersByUsername),
    rowsOf(usersByTwitterAccount),
    rowsOf(usersByIdentity),
    ...VIEWER_READS,
  )
  @Mutation(() => UserPayload, {
    description:
      "Makes the user of the caller's identity, one each; a service makes any. Repeated by one identity with one username, it answers with that user. `UNAUTHENTICATED` without a token, `BAD_USER_INPUT`, `CONFLICT` for a name that is taken or an identity that has another user. Writes by a lightweight transaction each on `users_by_identity` and `users`, and two each on `users_by_username` and, with an account, `users_by_twitter_account`.",
  })
  async createUser(
    @Arg('input', () => CreateUserInput) input: CreateUserInput,
    @Ctx() { load, viewer, writeContext }: MutationContext,
  ) {
    const user = await signUp(writeContext, viewer, input);
    load.forget();
    viewer.forget();
    return { user };
  }

  @Reads(rowsOf(users, 2), rowsOf(usersByTwitterAccount), ...VIEWER_READS)
  @Mutation(() => UserPayload, {
    description:
      "Changes the caller's user; what is not given stays. `UNAUTHENTICATED` without a user, `BAD_USER_INPUT`, `CONFLICT` for an account that is taken. Writes a row of `users` and, with an account, up to three lightweight transactions on `users_by_twitter_account`; behind the answer, the rows of `articles_by_user`, `articles_by_day` and `comments_by_day` that copy it.",
  })
  async updateUser(
    @Arg('input', () => UpdateUserInput) input: UpdateUserInput,
    @Ctx() { load, viewer, writeContext }: MutationContext,
  ) {
    const userId = await requireViewer(viewer);
    const before = await createLoad(writeContext.database)(users.get, { userId });
    if (before)
      await writeContext.outbox.enqueueAndRun(
        'profile',
        { userId },
        () => updateProfile(writeContext, before, input),
        // What copies the name follows behind the caller.
        () => profileHandler(writeContext),
      );
    load.forget();
    return { user: await load(users.get, { userId }) };
  }
}
