import { GraphQLJSON } from 'graphql-scalars';
import { isSafeNumber, parse } from 'lossless-json';
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { Context } from '../context';
import { Reads, rowsOf } from '../kit/cost/reads';
import { rawTweets } from './tweet.table';
import { Tweet } from './tweet.type';

/** The records that tweets were imported from. */
@Resolver(() => Tweet)
export class RawResolver {
  @Reads(rowsOf(rawTweets))
  @FieldResolver(() => GraphQLJSON, {
    nullable: true,
    description:
      'The record that the tweet was imported from: the JSON object as it was, integers beyond 2^53 as strings; of a CSV row an object of column to string. Null for tweets that were made here. A page of them is one request.',
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

/** Of members of one name the last counts, as everywhere else where JSON is read. */
function takeLast({ newValue }: { readonly newValue: unknown }): unknown {
  return newValue;
}
