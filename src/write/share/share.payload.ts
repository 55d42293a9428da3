import { Field, ObjectType } from 'type-graphql';
import { Tweet } from '../../features/tweet/tweet.type';
import { ChangedTweet } from '../tweet/tweet.payload';

/** The result of sharing. */
@ObjectType({ simpleResolvers: true, description: 'The result of `shareTweet`.' })
export class ShareTweetPayload extends ChangedTweet {
  @Field(() => Tweet, {
    description: "The caller's share: a tweet of its own, whose `sharedTweet` is `tweet`.",
  })
  share: Tweet;
}

/** The result of unsharing. */
@ObjectType({ simpleResolvers: true, description: 'The result of `unshareTweet`.' })
export class UnshareTweetPayload extends ChangedTweet {}
