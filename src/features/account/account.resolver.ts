import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../context';
import { Reads, rowsOf } from '../../kit/cost/reads';
import { User } from '../user/user.type';
import { requireOwner } from '../viewer/only-owner';
import { VIEWER_READS } from '../viewer/viewer-reads';
import { accountDeletions, accountExports, isLeaving } from './account.table';
import { AccountDeletion, AccountExport, showExport } from './account.type';

/** Whether an account is being deleted, and the export of what it has. */
@Resolver(() => User)
export class AccountResolver {
  @Reads(rowsOf(accountDeletions), ...VIEWER_READS)
  @FieldResolver(() => AccountDeletion, {
    nullable: true,
    description:
      "The deletion of the caller's own account, if it was asked for; null with `FORBIDDEN` for the account of another user.",
  })
  async accountDeletion(@Root() { userId }: User, @Ctx() { load, viewer }: Context) {
    await requireOwner(viewer, userId, 'Only its user can see whether an account is being deleted.', {
      mayLeave: true,
    });
    const deletion = await load(accountDeletions.get, { userId });
    return isLeaving(deletion) ? deletion : null;
  }

  @Reads(rowsOf(accountExports), ...VIEWER_READS)
  @FieldResolver(() => AccountExport, {
    nullable: true,
    description:
      'The last export that the user has asked for, until it expires; null with `FORBIDDEN` for another user.',
  })
  async accountExport(@Root() { userId }: User, @Ctx() { load, viewer }: Context) {
    await requireOwner(viewer, userId, 'Only its user can see the export of an account.', { mayLeave: true });
    return showExport(await load(accountExports.get, { userId, askedBy: 'user' }));
  }
}
