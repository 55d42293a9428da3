import { DateTime } from '../../kit/input/date-time';
import { Field, Int, ObjectType } from 'type-graphql';

/** How many tweets of a language, or of all languages, were posted in a range of time. */
@ObjectType({ simpleResolvers: true })
export class FrequencyPoint {
  @Field(() => DateTime, { description: 'When the range began.' })
  at: Date;

  @Field(() => String, {
    nullable: true,
    description: 'The language as a BCP 47 tag, `und` when unknown; null for all languages.',
  })
  language: string | null;

  @Field(() => Int, {
    description: 'How many tweets of the language, or of all languages, were posted in the range.',
  })
  count: number;
}
