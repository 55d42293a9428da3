import { Field, Int, ObjectType } from 'type-graphql';

/** A hashtag. */
@ObjectType({ simpleResolvers: true })
export class Hashtag {
  @Field(() => String, {
    description: 'Without sign, as hashtags are compared: in lower case, accents removed.',
  })
  name: string;
}

/** A hashtag that many use. */
@ObjectType({ simpleResolvers: true })
export class TrendingHashtag {
  @Field(() => Hashtag)
  hashtag: Hashtag;

  @Field(() => Int, { description: 'How many authors used it in the window.' })
  count: number;
}
