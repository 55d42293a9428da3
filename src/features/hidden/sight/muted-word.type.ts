import { Field, ID, ObjectType } from 'type-graphql';
import type { HiddenWord } from '../../../context';
import { encodeNodeId } from '../../../kit/graphql/global-id';
import { DateTime } from '../../../kit/input/date-time';
import { MutedWordPlace } from '../hidden.enums';

/** The name of muted words in their ids. */
export const MUTED_WORD = 'MutedWord';

/** A muted word. */
@ObjectType({
  simpleResolvers: true,
  description: 'A word, or several that stand together, which hides the tweets that have it.',
})
export class MutedWord {
  @Field(() => ID, { description: 'Its id, for `unmuteWords`.' })
  id: string;

  @Field(() => String, { description: 'The text as given.' })
  text: string;

  @Field(() => DateTime, { nullable: true, description: 'When it ends; null if never.' })
  until: Date | null;

  @Field(() => Boolean, {
    description: 'Whether the tweets of users whom the viewer follows are shown nevertheless.',
  })
  exceptFollowed: boolean;

  @Field(() => [MutedWordPlace], { description: 'Where it hides tweets.' })
  where: readonly string[];
}

/** A muted word as it is shown. */
export function shownWord({ id, text, until, exceptFollowed, where }: HiddenWord): Shown {
  const places = Object.values(MutedWordPlace).filter((place) => where === null || where.has(place));
  return { id: encodeNodeId(MUTED_WORD, id), text, until, exceptFollowed, where: places };
}

type Shown = { readonly [P in keyof MutedWord]: MutedWord[P] };
