import type { Row } from '../kit/cassandra/table';
import { connect, type List } from '../kit/relay/connection';
import { pageOf, type PageArgs } from '../kit/relay/page';
import type { tweets } from './tweet.table';

type TweetRow = Row<typeof tweets>;

/** Reads a page of a list of tweets. */
export async function connectTweets<R extends TweetRow>(list: List<R>, args: PageArgs) {
  return connect(list, pageOf(list.name, args), (node, cursor) => ({ cursor, node }));
}

/** Lists of tweets stand in descending order of id. */
export function tweetPosition({ tweetId }: TweetRow): readonly string[] {
  return [tweetId];
}
