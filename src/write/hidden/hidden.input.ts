import { Field, InputType } from 'type-graphql';
import { MutedWordPlace } from '../../features/hidden/hidden.enums';
import { MAX_WORD_BYTES, MAX_WORD_GRAPHEMES } from '../../features/hidden/hidden.table';
import { badArgument } from '../../kit/base/errors';
import { DateTime } from '../../kit/input/date-time';
import { Bounded } from '../../kit/input/input-bounds';
import { written } from '../../kit/input/input-text';

/** The bounds of a muted text. */
export const WORDS = written(MAX_WORD_GRAPHEMES, MAX_WORD_BYTES);

/** Words to mute. */
@InputType()
export class MuteWordsInput {
  @Bounded(WORDS)
  @Field(() => String, {
    description:
      'A word, a hashtag, or several words that must stand together. They are compared as search compares them.',
  })
  text: string;

  @Field(() => DateTime, { nullable: true, description: 'When this ends; never if it is not given.' })
  until?: Date | null;

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Whether the tweets of users whom the caller follows are shown nevertheless.',
  })
  exceptFollowed: boolean;

  @Bounded({ maxItems: 4 })
  @Field(() => [MutedWordPlace], {
    nullable: true,
    description: 'Where tweets are hidden; everywhere if it is not given.',
  })
  where?: MutedWordPlace[] | null;
}

/** Checks when something ends. Throws `BAD_USER_INPUT` for a moment that has passed. */
export function checkUntil(argument: string, until: Date | null | undefined): Date | null {
  if (until == null) return null;
  if (Number(until) <= Date.now())
    throw badArgument(argument, `must be later than now, but got: ${until.toISOString()}`);
  return until;
}

/** The chosen values of an enum, each once; null if all are. Throws `BAD_USER_INPUT` for an empty list. */
export function chosenOf<T extends string>(
  argument: string,
  given: readonly T[] | null | undefined,
  all: readonly T[],
): readonly T[] | null {
  if (given == null) return null;
  if (given.length === 0)
    throw badArgument(argument, `must have an item, but got none: leave it out for all.`);
  const chosen = all.filter((value) => given.includes(value));
  return chosen.length === all.length ? null : chosen;
}
