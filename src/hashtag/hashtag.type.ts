import { Field, Int, ObjectType } from 'type-graphql';

/** A hashtag. */
@ObjectType({ simpleResolvers: true })
export class Hashtag {
  @Field(() => String, {
    description:
      'The name as hashtags are compared: without the sign, in lower case, and without accents and characters that are not shown.',
  })
  name: string;
}

/** A hashtag that many authors use. */
@ObjectType({ simpleResolvers: true })
export class TrendingHashtag {
  @Field(() => Hashtag)
  hashtag: Hashtag;

  @Field(() => Int, { description: 'How many authors used it in the window.' })
  count: number;
}
