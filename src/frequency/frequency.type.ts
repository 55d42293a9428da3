import { DateTime } from '../kit/relay/date-time';
import { Field, Int, ObjectType } from 'type-graphql';

/** How many tweets were posted in a range of time. */
@ObjectType({ simpleResolvers: true })
export class FrequencyPoint {
  @Field(() => DateTime, { description: 'When the range began.' })
  at: Date;

  @Field(() => String, { nullable: true, description: 'The language (BCP 47), `und` where it is not known.' })
  language: string | null;

  @Field(() => Int, { description: 'Tweets of that language in the range.' })
  count: number;
}
