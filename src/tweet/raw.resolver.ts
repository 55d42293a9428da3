import { GraphQLJSON } from 'graphql-scalars';
import { isSafeNumber, parse } from 'lossless-json';
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../context';
import { rawTweets } from './tweet.table';
import { Tweet } from './tweet.type';

/** The records that tweets were imported from. */
@Resolver(() => Tweet)
export class RawResolver {
  @FieldResolver(() => GraphQLJSON, {
    nullable: true,
    description:
      'The record that the tweet was imported from: the JSON object as it was, integers beyond 2^53 as strings; of a CSV row an object of column to string. Null for tweets that were made here. Costs one partition of `raw_tweets`; a page of them is one request.',
  })
  async raw(@Root() { tweetId }: Tweet, @Ctx() { load }: Context) {
    const row = await load(rawTweets.get, { tweetId });
    return row && parse(row.raw, undefined, numberIn);
  }
}

function numberIn(text: string): number | string {
  return /^-?\d+$/.test(text) && !isSafeNumber(text) ? text : Number(text);
}
