import type { Row } from '../../kit/cassandra/table';
import type { tweets } from '../../features/tweet/tweet.table';

type TweetRow = Row<typeof tweets>;
/** A tweet as JSON has it. */
type JsonTweet = Omit<TweetRow, 'createdAt'> & { readonly createdAt: string };

/** The payload of the task `post` of a tweet, from which any server can store it. */
export function postPayload(tweet: TweetRow): Record<string, string> {
  return { tweetId: tweet.tweetId, tweet: JSON.stringify(tweet) };
}

/** The tweet in such a payload. */
export function postedIn({ tweet = '' }: Readonly<Record<string, string>>): TweetRow {
  const json = JSON.parse(tweet) as JsonTweet;
  return { ...json, createdAt: new Date(json.createdAt) };
}
