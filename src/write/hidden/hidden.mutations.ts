import { Arg, Ctx, Field, ID, Mutation, ObjectType, Resolver } from 'type-graphql';
import { relations } from '../../features/follow/follow.table';
import { MutedWordPlace, MuteScope } from '../../features/hidden/hidden.enums';
import { MUTED_WORD, MutedWord, shownWord } from '../../features/hidden/sight/muted-word.type';
import { keyOfMuted } from '../../features/hidden/sight/muted-words';
import type { HiddenSet } from '../../features/hidden/sight/sight';
import { SIGHT_READS } from '../../features/hidden/hidden-reads';
import { seeUser } from '../../features/hidden/hiding';
import { MAX_BLOCKED, MAX_MUTED, MAX_MUTED_WORDS } from '../../features/hidden/hidden.table';
import { users } from '../../features/user/user.table';
import { User } from '../../features/user/user.type';
import { shownUser } from '../../features/user/user-by-username';
import { requireWriter } from '../../features/viewer/viewer';
import { badInput } from '../../kit/base/errors';
import { Reads, rowsOf } from '../../kit/cost/reads';
import { idIn, nodeNotFound } from '../../kit/graphql/global-id';
import { DateTime } from '../../kit/input/date-time';
import { Bounded, ID_BOUNDS } from '../../kit/input/input-bounds';
import { checkedText } from '../../kit/input/input-text';
import type { MutationContext } from '../mutation-context';
import { inputBytes } from '../spend-on-post';
import { checkUntil, chosenOf, MuteWordsInput, WORDS } from './hidden.input';
import { setBlocked } from './set-blocked';
import {
  mute,
  muteWords,
  readHidden,
  requireRoomForBlock,
  TOMBSTONES,
  unmute,
  unmuteWords,
} from './set-muted';

@ObjectType({ simpleResolvers: true })
abstract class ChangedHidden {
  @Field(() => User, { description: 'The other user after the mutation.' })
  user: User;
}

/** The result of blocking. */
@ObjectType({ simpleResolvers: true, description: 'The result of `blockUser`.' })
class BlockUserPayload extends ChangedHidden {}

/** The result of unblocking. */
@ObjectType({ simpleResolvers: true, description: 'The result of `unblockUser`.' })
class UnblockUserPayload extends ChangedHidden {}

/** The result of muting. */
@ObjectType({ simpleResolvers: true, description: 'The result of `muteUser`.' })
class MuteUserPayload extends ChangedHidden {}

/** The result of unmuting. */
@ObjectType({ simpleResolvers: true, description: 'The result of `unmuteUser`.' })
class UnmuteUserPayload extends ChangedHidden {}

/** The result of muting words. */
@ObjectType({ simpleResolvers: true, description: 'The result of `muteWords`.' })
class MuteWordsPayload {
  @Field(() => MutedWord, { description: 'What is muted now.' })
  mutedWord: MutedWord;
}

/** The result of unmuting words. */
@ObjectType({ simpleResolvers: true, description: 'The result of `unmuteWords`.' })
class UnmuteWordsPayload {
  @Field(() => ID, { description: 'The id that the muted word had.' })
  removedId: string;
}

const BLOCK_READS = [rowsOf(users, 3), rowsOf(relations), ...SIGHT_READS] as const;
const FAILURES = 'Fails with `UNAUTHENTICATED` without a user, `NOT_FOUND`, or `BAD_USER_INPUT` for oneself';
const NO_LIMIT = 'no limit of changes refuses it';
const LIMITED = 'or `RATE_LIMITED` where many were taken back, or many times of one user, within an hour.';

/** Blocking and muting users, as the caller's user. */
@Resolver()
export class HiddenMutations {
  @Reads(...BLOCK_READS)
  @Mutation(() => BlockUserPayload, {
    nullable: true,
    description: `Blocks a user as the caller, at most ${MAX_BLOCKED} users: neither sees what the other has made, or can act on it, and both stop following each other. ${FAILURES}; ${NO_LIMIT}.`,
  })
  blockUser(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() context: MutationContext) {
    return hide(context, id, async (userId, otherId) => {
      requireRoomForBlock(await readHidden(context.writeServices.database, userId), otherId);
      await setBlocked(context.writeServices, userId, otherId, true);
    });
  }

  @Reads(...BLOCK_READS)
  @Mutation(() => UnblockUserPayload, {
    nullable: true,
    description: `Ends a block of the caller's: what it hid is shown again, but no follow comes back. ${FAILURES}, ${LIMITED}`,
  })
  unblockUser(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() context: MutationContext) {
    return takeBack(context, 'block', id, {
      change: (userId, otherId) => setBlocked(context.writeServices, userId, otherId, false),
      isHidden: ({ blocked }, otherId) => blocked.has(otherId),
    });
  }

  @Reads(...BLOCK_READS)
  @Mutation(() => MuteUserPayload, {
    nullable: true,
    description: `Mutes a user as the caller, at most ${MAX_MUTED} users: what the user does is hidden from the caller until a moment or for ever, but on the user's profile and by its id; nobody is told, no follow ends, and muting again replaces what an earlier mute hides. ${FAILURES}, or \`RATE_LIMITED\` for many with an end within an hour; without an end ${NO_LIMIT}.`,
  })
  muteUser(
    @Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string,
    @Arg('until', () => DateTime, {
      nullable: true,
      description: 'When the mute ends; never if it is not given.',
    })
    until: Date | null | undefined,
    @Bounded({ maxItems: 5 })
    @Arg('scope', () => [MuteScope], {
      nullable: true,
      description: 'What it hides; everything if it is not given.',
    })
    scope: MuteScope[] | null | undefined,
    @Ctx() context: MutationContext,
  ) {
    const extent = {
      until: checkUntil('until', until),
      scope: chosenOf('scope', scope, Object.values(MuteScope)),
    };
    const { database, quotas } = context.writeServices;
    // The row of a mute that ends expires, and leaves tombstones as deletions do.
    const amounts = extent.until === null ? {} : { deletions: TOMBSTONES.ofMute };
    return hide(context, id, (userId, otherId) =>
      quotas.spend(userId, amounts, () => mute(database, userId, otherId, extent)),
    );
  }

  @Reads(...BLOCK_READS)
  @Mutation(() => UnmuteUserPayload, {
    nullable: true,
    description: `Ends a mute of the caller's: what it hid is shown again. ${FAILURES}, ${LIMITED}`,
  })
  unmuteUser(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() context: MutationContext) {
    return takeBack(context, 'mute', id, {
      change: (userId, otherId) => unmute(context.writeServices.database, userId, otherId),
      isHidden: ({ mutes }, otherId) => mutes.has(otherId),
      deletions: TOMBSTONES.ofEnd,
    });
  }
}

/** Muting words, as the caller's user. */
@Resolver()
export class MutedWordMutations {
  @Reads(...SIGHT_READS)
  @Mutation(() => MuteWordsPayload, {
    nullable: true,
    description: `Mutes a word, a hashtag or several words that stand together, as the caller, who can have ${MAX_MUTED_WORDS}; equal words are one, whose end and places this replaces. Fails with \`UNAUTHENTICATED\` without a user, \`BAD_USER_INPUT\` for a text without words, or \`RATE_LIMITED\` for many bytes within a day, or many with an end within an hour.`,
  })
  async muteWords(
    @Arg('input', () => MuteWordsInput) input: MuteWordsInput,
    @Ctx() { load, viewer, writeServices }: MutationContext,
  ) {
    const userId = await requireWriter(viewer);
    const text = checkedText('input.text', input.text, WORDS);
    const word = {
      ...{
        text,
        key: keyOfMuted(text),
        until: checkUntil('input.until', input.until),
        exceptFollowed: input.exceptFollowed,
      },
      scope: chosenOf('input.where', input.where, Object.values(MutedWordPlace)),
    };
    const { database, quotas } = writeServices;
    const amounts = {
      bytes: inputBytes(input),
      ...(word.until !== null && { deletions: TOMBSTONES.ofWord }),
    };
    const id = await quotas.spend(userId, amounts, () => muteWords(database, userId, word));
    load.forget();
    const where = word.scope && new Set(word.scope);
    return { mutedWord: shownWord({ ...word, id, where, at: new Date() }) };
  }

  @Reads(...SIGHT_READS)
  @Mutation(() => UnmuteWordsPayload, {
    nullable: true,
    description:
      "Removes a muted word of the caller's; removing it again succeeds. Fails with `UNAUTHENTICATED` without a user, `BAD_USER_INPUT`, or `RATE_LIMITED` for many deletions within an hour.",
  })
  async unmuteWords(
    @Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string,
    @Ctx() { load, viewer, writeServices }: MutationContext,
  ) {
    const userId = await requireWriter(viewer);
    const wordId = idIn(MUTED_WORD, id);
    const { database, quotas } = writeServices;
    const amounts = { deletions: TOMBSTONES.ofEnd };
    const isGone = async () => !(await readHidden(database, userId)).words.some((word) => word.id === wordId);
    await quotas.spend(userId, amounts, () => unmuteWords(database, userId, wordId), Boolean, isGone);
    load.forget();
    return { removedId: id };
  }
}

/**
 * Hides a user from the caller. People protect themselves in this way, so no earlier act of theirs may keep them from it. The limits of
 * taking back limit this as well: a user can only be blocked again after that block was taken back.
 */
async function hide(
  context: MutationContext,
  id: string,
  change: (userId: string, otherId: string) => Promise<void>,
) {
  const { userId, otherId, requireShown } = await findOther(context, id);
  requireShown();
  await change(userId, otherId);
  return showOther(context, otherId);
}

/** The taking back of a block or a mute. */
interface TakingBack {
  readonly change: (userId: string, otherId: string) => Promise<boolean>;
  /** Whether another user is still blocked, or muted. */
  readonly isHidden: (hidden: HiddenSet, otherId: string) => boolean;
  readonly deletions?: number;
}

/** Shows a user again. Blocks and mutes can be taken back even if the other user was suspended, or began to leave, after them. */
async function takeBack(
  context: MutationContext,
  kind: string,
  id: string,
  { change, isHidden, deletions = 1 }: TakingBack,
) {
  const { userId, otherId, other, requireShown } = await findOther(context, id);
  if (other === null) requireShown();
  const { limits, writeServices } = context;
  const { database, quotas } = writeServices;
  const isShownAgain = async () => !isHidden(await readHidden(database, userId), otherId);
  const hasChanged = await limits.pair(kind, otherId, () =>
    quotas.spend(userId, { deletions }, () => change(userId, otherId), Boolean, isShownAgain),
  );
  if (!hasChanged) requireShown();
  return showOther(context, otherId);
}

/** Finds the caller's user and the other user. `requireShown` throws `NOT_FOUND` if nobody may see the other user. */
async function findOther({ load, viewer }: MutationContext, id: string) {
  const userId = await requireWriter(viewer);
  const otherId = idIn('User', id);
  if (userId === otherId)
    throw badInput("The id must be that of another user, but got the caller's own id.", 'id');
  const other = await load(users.get, { userId: otherId });
  const requireShown = () => {
    if (shownUser(load, other) === null) throw nodeNotFound('User', otherId);
  };
  return { userId, otherId, other, requireShown };
}

async function showOther(context: MutationContext, otherId: string) {
  const { load } = context;
  load.forget();
  return { user: await seeUser(context, load(users.get, { userId: otherId })) };
}
