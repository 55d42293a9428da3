import { Args, Ctx, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import type { Context } from '../../../context';
import { compareIds } from '../../../kit/base/ids';
import { MaxItems, Reads, upTo } from '../../../kit/cost/reads';
import { DateTime } from '../../../kit/input/date-time';
import { ForwardArgs } from '../../../kit/input/page-args';
import { connect } from '../../../kit/lists/connection';
import { ConnectionOf, EdgeOf } from '../../../kit/lists/connection-types';
import type { List } from '../../../kit/lists/list-parts';
import { visibilityReads } from '../../../kit/lists/page-bounds';
import { pageOf } from '../../../kit/lists/page';
import { compareKeys } from '../../../kit/lists/merge';
import { NullOnlyByError } from '../../../kit/input/null-only-by-error';
import { MuteScope } from '../hidden.enums';
import {
  HIDDEN,
  hiddenByUser,
  hiddenUsers,
  MAX_BLOCKED,
  MAX_MUTED,
  MAX_MUTED_WORDS,
  maxRows,
} from '../hidden.table';
import { SIGHT_READS } from '../hidden-reads';
import { seeUser } from '../hiding';
import { shownUser } from '../../user/user-by-username';
import { cachedUser, users } from '../../user/user.table';
import { User } from '../../user/user.type';
import { requireOwner } from '../../viewer/only-owner';
import { VIEWER_READS } from '../../viewer/viewer-reads';
import { MutedWord, shownWord } from './muted-word.type';
import { isOver, setIn } from './sight';

@ObjectType({ simpleResolvers: true })
class BlockEdge extends EdgeOf(() => User) {
  @Field(() => DateTime, { description: 'When the user was blocked.' })
  blockedAt: Date;
}

@ObjectType({ simpleResolvers: true })
class BlockConnection extends ConnectionOf(() => BlockEdge) {
  @Field(() => [User], { description: 'The users of the page.' })
  nodes: User[];
}

@ObjectType({ simpleResolvers: true })
class MuteEdge extends EdgeOf(() => User) {
  @Field(() => DateTime, { description: 'When the user was muted.' })
  mutedAt: Date;

  @Field(() => DateTime, { nullable: true, description: 'When the mute ends; null if never.' })
  until: Date | null;

  @Field(() => [MuteScope], { description: 'What it hides.' })
  scope: readonly string[];
}

@ObjectType({ simpleResolvers: true })
class MuteConnection extends ConnectionOf(() => MuteEdge) {
  @Field(() => [User], { description: 'The users of the page.' })
  nodes: User[];
}

const shownUsers = visibilityReads(users);
const blocks = upTo(hiddenUsers, () => ({ reads: 1, rows: maxRows(MAX_BLOCKED) }));
const mutes = upTo(hiddenUsers, () => ({ reads: 1, rows: maxRows(MAX_MUTED) }));
const words = upTo(hiddenByUser, () => ({ reads: 1, rows: maxRows(MAX_MUTED_WORDS) }));
const OWN = 'Only its user and services can read what a user hides.';

/** The fields that tell a user what this user hides. */
@Resolver(() => User)
export class OwnHiddenResolver {
  @Reads(blocks, shownUsers, ...VIEWER_READS, ...SIGHT_READS)
  @NullOnlyByError()
  @FieldResolver(() => BlockConnection, {
    nullable: true,
    description:
      'Whom the user blocks, newest first. Only the user and services can read it; others get `FORBIDDEN`.',
  })
  async blockedUsers(
    @Root() { userId }: User,
    @Args(() => ForwardArgs) args: ForwardArgs,
    @Ctx() context: Context,
  ) {
    const { load, viewer } = context;
    await requireOwner(viewer, userId, OWN);
    const from = { viewerId: userId, after: firstOf(HIDDEN.block), limit: maxRows(MAX_BLOCKED) };
    const { blocked } = setIn(await load(hiddenUsers.page, from));
    const rows = Array.from(blocked, ([id, at]) => ({ id, at }));
    return pageOfUsers(`blocked ${userId}`, rows, args, context, ({ at }) => ({ blockedAt: at }));
  }

  @Reads(mutes, shownUsers, ...VIEWER_READS, ...SIGHT_READS)
  @NullOnlyByError()
  @FieldResolver(() => MuteConnection, {
    nullable: true,
    description:
      'Whom the user mutes, newest first. Only the user and services can read it; others get `FORBIDDEN`.',
  })
  async mutedUsers(
    @Root() { userId }: User,
    @Args(() => ForwardArgs) args: ForwardArgs,
    @Ctx() context: Context,
  ) {
    const { load, viewer } = context;
    await requireOwner(viewer, userId, OWN);
    const from = { viewerId: userId, after: firstOf(HIDDEN.mute), limit: maxRows(MAX_MUTED) };
    const rows = [...setIn(await load(hiddenUsers.page, from)).mutes].flatMap(([id, mute]) =>
      isOver(mute) ? [] : [{ id, ...mute }],
    );
    return pageOfUsers(`muted ${userId}`, rows, args, context, ({ at, until, scope }) => ({
      mutedAt: at,
      until,
      scope: Object.values(MuteScope).filter((one) => scope === null || scope.has(one)),
    }));
  }

  @Reads(words, ...VIEWER_READS)
  @MaxItems(() => MAX_MUTED_WORDS)
  @NullOnlyByError()
  @FieldResolver(() => [MutedWord], {
    nullable: true,
    description: `The user's muted words, newest first, at most ${MAX_MUTED_WORDS}. Only the user and services can read them; others get \`FORBIDDEN\`.`,
  })
  async mutedWords(@Root() { userId }: User, @Ctx() { load, viewer }: Context) {
    await requireOwner(viewer, userId, OWN);
    const from = { viewerId: userId, after: firstOf(HIDDEN.word), limit: maxRows(MAX_MUTED_WORDS) };
    const lasting = setIn(await load(hiddenByUser.page, from)).words.filter((word) => !isOver(word));
    // Words that were muted at the same moment may pass the limit by a few. The bound of an answer counts no more than the limit.
    return lasting
      .toSorted((a, b) => Number(b.at) - Number(a.at) || compareIds(b.id, a.id))
      .slice(0, MAX_MUTED_WORDS)
      .map(shownWord);
  }
}

/** The position before the rows of a kind. */
function firstOf(kind: string) {
  return [kind, '0'] as const;
}

interface Hidden {
  readonly id: string;
  readonly at: Date;
}

/** A page of users in a set that is in memory, newest first. */
async function pageOfUsers<R extends Hidden, T extends object>(
  name: string,
  rows: readonly R[],
  args: ForwardArgs,
  context: Context,
  told: (row: R) => T,
) {
  const position = ({ at, id }: Hidden) => [at, id] as const;
  const sorted = rows.toSorted((a, b) => compareKeys(position(b), position(a)));
  const list: List<R> = {
    name,
    position,
    checksOppositePage: () => false,
    parts: ({ from }) =>
      Promise.resolve([
        {
          start: from ?? { bucket: 0, key: [] },
          sources: [
            {
              read({ after, limit }) {
                const later = after ? sorted.filter((row) => compareKeys(position(row), after) < 0) : sorted;
                const found = later.slice(0, limit);
                const last = later.length > limit ? found.at(-1) : undefined;
                return Promise.resolve({ rows: found, end: last ? position(last) : null });
              },
            },
          ],
        },
      ]),
  };
  const found = new Map<R, object>();
  const shown: List<R> = {
    ...list,
    async shown(row) {
      const user = await seeUser(
        context,
        shownUser(context.load, await context.load(cachedUser, { userId: row.id })),
      );
      if (user) found.set(row, user);
      return user !== null;
    },
  };
  const nodeOf = (row: R) => found.get(row) ?? null;
  return connect(
    shown,
    pageOf(name, args),
    (row, cursor) => ({ cursor, node: nodeOf(row), ...told(row) }),
    nodeOf,
  );
}
