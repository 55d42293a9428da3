import { GraphQLJSON } from 'graphql-scalars';
import { isSafeNumber, parse } from 'lossless-json';
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../context';
import { Reads, rowsOf } from '../kit/cost/reads';
import { rawTweets } from './tweet.table';
import { Tweet } from './tweet.type';

/** The records from which tweets were imported. */
@Resolver(() => Tweet)
export class RawResolver {
  @Reads(rowsOf(rawTweets))
  @FieldResolver(() => GraphQLJSON, {
    nullable: true,
    description:
      'The record from which the tweet was imported. For JSON, the object as it was, with integers beyond 2^53 as strings; for CSV, an object with a string for each column. Null for tweets that were posted here. A page of them is one request.',
  })
  async raw(@Root() { tweetId }: Tweet, @Ctx() { load }: Context) {
    const row = await load(rawTweets.get, { tweetId });
    return row && parse(row.raw, undefined, { parseNumber: numberIn, onDuplicateKey: takeLast });
  }
}

function numberIn(text: string): number | string {
  const number = Number(text);
  const isExact = /^-?\d+$/.test(text) ? isSafeNumber(text) : Number.isFinite(number);
  return isExact ? number : text;
}

/** Of duplicate members of an object the last one counts, as in `JSON.parse`. */
function takeLast({ newValue }: { readonly newValue: unknown }): unknown {
  return newValue;
}
