import { Arg, Ctx, Field, Mutation, ObjectType, Resolver } from 'type-graphql';
import { accountDeletions, accountExports } from '../../features/account/account.table';
import { AccountDeletion, AccountExport, showExport } from '../../features/account/account.type';
import { NAME_BOUNDS } from '../../features/user/user-by-username';
import { users } from '../../features/user/user.table';
import { User } from '../../features/user/user.type';
import { requireAccount } from '../../features/viewer/viewer';
import { VIEWER_READS } from '../../features/viewer/viewer-reads';
import { badArgument, unauthenticated } from '../../kit/base/errors';
import { Reads, rowsOf } from '../../kit/cost/reads';
import { Bounded } from '../../kit/input/input-bounds';
import { createLoad } from '../../kit/reads/load';
import type { MutationContext } from '../mutation-context';
import { requestExport } from './collect-export';
import { cancelDeletion, requestDeletion } from './request-deletion';

/** The result of asking for the deletion of an account. */
@ObjectType({ simpleResolvers: true, description: 'The result of `deleteAccount`.' })
class DeleteAccountPayload {
  @Field(() => AccountDeletion, { description: 'When it was asked for, and when it begins.' })
  accountDeletion: AccountDeletion;
}

/** The result of taking that back. */
@ObjectType({ simpleResolvers: true, description: 'The result of `cancelAccountDeletion`.' })
class CancelAccountDeletionPayload {
  @Field(() => User, { description: 'The user, who is shown again with all the user has made.' })
  user: User;
}

/** The result of asking for an export. */
@ObjectType({ simpleResolvers: true, description: 'The result of `requestExport`.' })
class RequestExportPayload {
  @Field(() => AccountExport, { description: 'The export, which is being written.' })
  accountExport: AccountExport;
}

/** Leaving, as the caller's user. */
@Resolver()
export class AccountMutations {
  @Reads(rowsOf(users), rowsOf(accountDeletions), ...VIEWER_READS)
  @Mutation(() => DeleteAccountPayload, {
    nullable: true,
    description:
      "Asks for the deletion of the caller's account, which is hidden at once with all it has made, may act no more, and is removed for good from `startsAt` on; only its username stays, reserved. Fails with `UNAUTHENTICATED` without a user, or `BAD_USER_INPUT` if `confirm` is not the username.",
  })
  async deleteAccount(
    @Bounded(NAME_BOUNDS)
    @Arg('confirm', () => String, {
      description: "The caller's username, so that nothing is deleted by mistake.",
    })
    confirm: string,
    @Ctx() { load, viewer, writeServices }: MutationContext,
  ) {
    const userId = await requireAccount(viewer);
    const { caller } = viewer;
    const user = await createLoad(writeServices.database)(users.get, { userId });
    if (user === null || caller.kind !== 'person')
      throw unauthenticated('This account does not exist any more.');
    if (confirm.toLowerCase() !== user.username.toLowerCase())
      throw badArgument(
        'confirm',
        `must be the username of the caller, which is ${user.username}, but got: ${JSON.stringify(confirm)}`,
      );
    const accountDeletion = await requestDeletion(writeServices, userId, caller);
    load.forget();
    return { accountDeletion };
  }

  @Reads(rowsOf(users), ...VIEWER_READS)
  @Mutation(() => CancelAccountDeletionPayload, {
    nullable: true,
    description:
      "Takes the deletion of the caller's account back, so that all is shown again; without one it changes nothing. Fails with `UNAUTHENTICATED` without a user, or `CONFLICT` once the deletion has begun.",
  })
  async cancelAccountDeletion(@Ctx() { load, viewer, writeServices }: MutationContext) {
    const userId = await requireAccount(viewer);
    await cancelDeletion(writeServices, userId);
    load.forget();
    return { user: await load(users.get, { userId }) };
  }

  @Reads(rowsOf(accountExports), rowsOf(accountDeletions), rowsOf(users), ...VIEWER_READS)
  @Mutation(() => RequestExportPayload, {
    nullable: true,
    description:
      'Asks for an export of all that the caller has, which is written behind the answer and kept for a week; asking again within a day answers with the same one. Fails with `UNAUTHENTICATED` without a user, or `CONFLICT` once a deletion of the account has begun.',
  })
  async requestExport(@Ctx() { load, viewer, writeServices }: MutationContext) {
    const userId = await requireAccount(viewer);
    const accountExport = showExport(await requestExport(writeServices, userId));
    load.forget();
    return { accountExport };
  }
}
