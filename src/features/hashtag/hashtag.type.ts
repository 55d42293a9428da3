import { Field, Int, ObjectType } from 'type-graphql';

/** A hashtag. */
@ObjectType({ simpleResolvers: true })
export class Hashtag {
  /** The name as hashtags are compared. */
  key: string;

  /** The spelling of the hashtag, if it is asked for. */
  name: string | Promise<string>;
}

/** A hashtag that many authors use. */
@ObjectType({ simpleResolvers: true })
export class TrendingHashtag {
  @Field(() => Hashtag, { description: 'The hashtag.' })
  hashtag: Hashtag;

  @Field(() => Int, {
    description:
      'How many authors used it in the window; an estimate if the window has more than 500,000 uses.',
  })
  count: number;
}
