import { ObjectType } from 'type-graphql';
import { ChangedTweet } from '../tweet/tweet.payload';

/** The result of liking. */
@ObjectType({ simpleResolvers: true, description: 'The result of `likeTweet`.' })
export class LikeTweetPayload extends ChangedTweet {}

/** The result of unliking. */
@ObjectType({ simpleResolvers: true, description: 'The result of `unlikeTweet`.' })
export class UnlikeTweetPayload extends ChangedTweet {}
