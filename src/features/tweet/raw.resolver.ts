import { GraphQLJSON } from 'graphql-scalars';
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../../context';
import { parseExactly } from '../../kit/base/exact-json';
import { waitToParse } from '../../kit/base/per-turn';
import { Reads, rowsOf } from '../../kit/cost/reads';
import { rawTweets } from './tweet.table';
import { Tweet } from './tweet.type';

/** The records from which tweets were imported. */
@Resolver(() => Tweet)
export class RawResolver {
  @Reads(rowsOf(rawTweets))
  @FieldResolver(() => GraphQLJSON, {
    nullable: true,
    description:
      'The record from which the tweet was imported: a JSON object, with integers beyond 2^53 as strings, or the columns of a CSV row as strings. Null for tweets that were posted here.',
  })
  async raw(@Root() { tweetId }: Tweet, @Ctx() { load }: Context) {
    const row = await load(rawTweets.get, { tweetId });
    if (row === null) return null;
    await waitToParse(row.raw.length, load);
    return parseExactly(row.raw);
  }
}
