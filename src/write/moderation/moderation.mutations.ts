import { Arg, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql';
import type { MutationContext } from '../mutation-context';
import { Reads, rowsOf } from '../../kit/cost/reads';
import { idIn } from '../../kit/graphql/global-id';
import { Bounded, ID_BOUNDS } from '../../kit/input/input-bounds';
import { checkedText } from '../../kit/input/input-text';
import { TWEET_BY_ID } from '../../features/tweet/tweet-reads';
import { users } from '../../features/user/user.table';
import { requireService } from '../../features/viewer/viewer';
import { REASON, removeTweet, setSuspended, type Moderation } from './moderate';

/** The result of suspending a user. */
@ObjectType({ simpleResolvers: true, description: 'The result of `suspendUser`.' })
class SuspendUserPayload {
  @Field(() => ID, { description: 'The global id of the user.' })
  suspendedId: string;
}

/** The result of ending a suspension. */
@ObjectType({ simpleResolvers: true, description: 'The result of `unsuspendUser`.' })
class UnsuspendUserPayload {
  @Field(() => ID, { description: 'The global id of the user.' })
  unsuspendedId: string;
}

/** The result of removing a tweet. */
@ObjectType({ simpleResolvers: true, description: 'The result of `removeTweet`.' })
class RemoveTweetPayload {
  @Field(() => ID, { description: 'The global id that the tweet had.' })
  removedId: string;
}

const REASON_DESCRIPTION = { description: 'Why, for the audit log.' };
const FAILURES =
  'Fails with `UNAUTHENTICATED` or `FORBIDDEN` without the token of a service, `NOT_FOUND`, or `BAD_USER_INPUT`.';

/** The mutations of moderators, through a service that they use. */
@Resolver()
export class ModerationMutations {
  @Reads(rowsOf(users))
  @Mutation(() => SuspendUserPayload, {
    nullable: true,
    description: `Suspends a user, who from then on changes nothing, and is hidden with what the user has made and with shares of it by others. ${FAILURES}`,
  })
  async suspendUser(
    @Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string,
    @Bounded(REASON) @Arg('reason', () => String, REASON_DESCRIPTION) reason: string,
    @Ctx() { viewer, writeServices }: MutationContext,
  ) {
    await setSuspended(writeServices, idIn('User', id), true, moderationOf(viewer, reason));
    return { suspendedId: id };
  }

  @Reads(rowsOf(users))
  @Mutation(() => UnsuspendUserPayload, {
    nullable: true,
    description: `Ends the suspension of a user: what the user has made is shown again. ${FAILURES}`,
  })
  async unsuspendUser(
    @Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string,
    @Bounded(REASON) @Arg('reason', () => String, REASON_DESCRIPTION) reason: string,
    @Ctx() { viewer, writeServices }: MutationContext,
  ) {
    await setSuspended(writeServices, idIn('User', id), false, moderationOf(viewer, reason));
    return { unsuspendedId: id };
  }

  @Reads(...TWEET_BY_ID)
  @Mutation(() => RemoveTweetPayload, {
    nullable: true,
    description: `Deletes a tweet of any author and its shares for good; removing it again succeeds. ${FAILURES}`,
  })
  async removeTweet(
    @Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string,
    @Bounded(REASON) @Arg('reason', () => String, REASON_DESCRIPTION) reason: string,
    @Ctx() { load, viewer, writeServices }: MutationContext,
  ) {
    await removeTweet(writeServices, idIn('Tweet', id), moderationOf(viewer, reason));
    load.forget();
    return { removedId: id };
  }
}

function moderationOf(viewer: MutationContext['viewer'], reason: string): Moderation {
  return { actor: requireService(viewer), reason: checkedText('reason', reason, REASON) };
}
