import { Field, ID, ObjectType } from 'type-graphql';
import { Tweet } from '../../features/tweet/tweet.type';

/** The part that results of mutations of a tweet share. */
@ObjectType({ simpleResolvers: true })
export abstract class ChangedTweet {
  @Field(() => Tweet, { description: 'The tweet after the mutation, with its new counts.' })
  tweet: Tweet;
}

/** The result of posting a tweet. */
@ObjectType({ simpleResolvers: true, description: 'The result of `createTweet`.' })
export class CreateTweetPayload extends ChangedTweet {}

/** The result of deleting a tweet. */
@ObjectType({ simpleResolvers: true, description: 'The result of `deleteTweet`.' })
export class DeleteTweetPayload {
  @Field(() => ID, { description: 'The id of the deleted tweet.' })
  deletedId: string;
}
