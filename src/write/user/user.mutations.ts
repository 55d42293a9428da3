import { Field, ObjectType, Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { User } from '../../features/user/user.type';
import type { MutationContext } from '../mutation-context';
import { createLoad } from '../../kit/reads/load';
import { Reads, rowsOf } from '../../kit/cost/reads';
import { updateCopiesLater } from '../news/update-copies';
import { requireWriter } from '../../features/viewer/viewer';
import { VIEWER_READS } from '../../features/viewer/viewer-reads';
import { usersByIdentity } from '../../features/viewer/viewer.table';
import { inputBytes } from '../spend-on-post';
import { findByNewName } from '../user-search/followees';
import { copyProfile, profilePayload } from './profile-copy';
import { requireFree, twitterAccounts } from './names';
import { accountsOf, checkUpdate, signUp, updateProfile } from './sign-up';
import { CreateUserInput, UpdateUserInput } from './user.input';
import { users, usersByTwitterAccount, usersByUsername } from '../../features/user/user.table';

@ObjectType({ simpleResolvers: true })
abstract class ChangedUser {
  @Field(() => User, { description: 'The user after the mutation.' })
  user: User;
}

/** The result of creating a user. */
@ObjectType({ simpleResolvers: true, description: 'The result of `createUser`.' })
class CreateUserPayload extends ChangedUser {}

/** The result of changing a user. */
@ObjectType({ simpleResolvers: true, description: 'The result of `updateUser`.' })
class UpdateUserPayload extends ChangedUser {}

/**
 * Whether an input asks for another name. That leaves tombstones where people are found by the old one, so it takes from a quota; one of two
 * such changes at the same moment may not.
 */
function asksToRename({ name }: { readonly name: string }, input: UpdateUserInput): boolean {
  return input.name != null && input.name !== name;
}

/** Creating and changing users. */
@Resolver()
export class UserMutations {
  @Reads(
    rowsOf(users, 3),
    rowsOf(usersByUsername),
    rowsOf(usersByTwitterAccount),
    rowsOf(usersByIdentity),
    ...VIEWER_READS,
  )
  @Mutation(() => CreateUserPayload, {
    nullable: true,
    description:
      "Creates the user of the caller's identity, which can have only one, and returns that user again if the call is repeated; a service can create any number. Fails with `UNAUTHENTICATED` without a token, `BAD_USER_INPUT`, or `CONFLICT` for a name that is taken or an identity that has another user.",
  })
  async createUser(
    @Arg('input', () => CreateUserInput) input: CreateUserInput,
    @Ctx() { load, viewer, writeServices }: MutationContext,
  ) {
    const user = await signUp(writeServices, viewer, input);
    load.forget();
    viewer.forget();
    return { user };
  }

  @Reads(rowsOf(users, 2), rowsOf(usersByTwitterAccount), ...VIEWER_READS)
  @Mutation(() => UpdateUserPayload, {
    nullable: true,
    description:
      "Changes the caller's user; fields that are not given stay as they are. Fails with `UNAUTHENTICATED` without a user, `BAD_USER_INPUT`, `CONFLICT` for a Twitter account that is taken, or `RATE_LIMITED` for many names or bytes within a day.",
  })
  async updateUser(
    @Arg('input', () => UpdateUserInput) input: UpdateUserInput,
    @Ctx() { load, viewer, writeServices }: MutationContext,
  ) {
    const userId = await requireWriter(viewer);
    const before = await createLoad(writeServices.database)(users.get, { userId });
    // A task must not have what is refused.
    checkUpdate(input);
    if (input.twitterAccount != null)
      await requireFree(writeServices.database, twitterAccounts, input.twitterAccount, userId);
    if (before)
      await writeServices.quotas.spend(
        userId,
        { bytes: inputBytes(input), ...(asksToRename(before, input) && { renames: 1 }) },
        () =>
          writeServices.outbox.enqueueAndRun(
            'profile',
            profilePayload(userId, accountsOf(before, input)),
            async () => {
              const changed = await updateProfile(writeServices, before, input);
              await copyProfile(writeServices.database, userId);
              if (changed.isRenamed) await findByNewName(writeServices, userId);
              const isCopied = input.name !== undefined || input.description !== undefined;
              if (isCopied) await updateCopiesLater(writeServices, userId);
            },
          ),
      );
    load.forget();
    return { user: await load(users.get, { userId }) };
  }
}
