import { Field, Float, ObjectType } from 'type-graphql';
import type { GeoPoint } from '../../kit/cassandra/column';
import { DateTime } from '../../kit/input/date-time';
import { Node } from '../../kit/graphql/global-id';
import type { TweetRow } from './tweet.table';

/** The place at which a tweet was posted. */
@ObjectType({ simpleResolvers: true, description: 'Where a tweet was posted.' })
class Location implements GeoPoint {
  @Field(() => Float, { description: 'Degrees north (WGS 84).' })
  latitude: number;

  @Field(() => Float, { description: 'Degrees east (WGS 84).' })
  longitude: number;

  @Field(() => String, { nullable: true, description: 'The name of the country, as the source has it.' })
  country?: string | null;
}

/** A tweet, reply, quote or share. Its properties are the columns of each table of tweets. */
@ObjectType({
  implements: Node,
  simpleResolvers: true,
  description: 'A tweet, reply, quote or share.',
})
export class Tweet extends Node implements TweetRow {
  @Field(() => String, {
    description: 'A 64-bit number in decimal; newer tweets have greater ones.',
  })
  tweetId: string;

  @Field(() => String, { description: 'The text as given.' })
  content: string;

  @Field(() => DateTime, { description: 'When it was posted.' })
  createdAt: Date;

  @Field(() => String, {
    nullable: true,
    description: 'The language as a BCP 47 tag of a language alone, such as `en`, `und` when unknown.',
  })
  language: string;

  @Field(() => Location, { nullable: true, description: 'Where it was posted.' })
  location: GeoPoint | null;

  hashtags: readonly string[] | null;
  mentions: readonly string[] | null;
  authorId: string;
  inReplyToId: string | null;
  sharedTweetId: string | null;
  quotedTweetId: string | null;
  sharedAuthorId: string | null;
  /** The root of its conversation; undefined if the tweet was read from a list. */
  rootId?: string | null;
}
