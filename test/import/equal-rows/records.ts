import type { FollowRecord, ImportRecord, TweetRecord, UserRecord } from '../../../src/import/records/record';
import type { Harness } from '../../support/harness';
import { ask } from '../../support/mutations';
import { names } from './story';

/** What a server shows of a person. */
interface Shown {
  readonly userId: string;
  readonly username: string;
  readonly name: string;
  readonly description: string | null;
  readonly twitterAccount: string | null;
  readonly createdAt: string;
  readonly followers: { readonly edges: readonly { followedAt: string; node: { userId: string } }[] };
  readonly tweets: { readonly nodes: readonly ShownTweet[] };
}

type Linked = { readonly tweetId: string } | null;
interface ShownTweet extends Required<
  Pick<
    TweetRecord,
    'tweetId' | 'content' | 'language' | 'hashtags' | 'mentions' | 'likeCount' | 'shareCount' | 'replyCount'
  >
> {
  readonly createdAt: string;
  readonly location: { latitude: number; longitude: number; country: string | null } | null;
  readonly inReplyTo: Linked;
  readonly sharedTweet: Linked;
  readonly quotedTweet: Linked;
}

/** What a server shows of the story, as the records of which the demo network is made. */
export async function recordsOf(server: Harness): Promise<ImportRecord[]> {
  const shown = names.map(async (username) => {
    const data = await ask(
      server,
      `{ user(username: "${username}") {
        userId username name description twitterAccount createdAt
        followers(first: 100) { edges { followedAt node { userId } } }
        tweets(first: 100) { nodes {
          tweetId content createdAt language hashtags mentions likeCount shareCount replyCount
          location { latitude longitude country } inReplyTo { tweetId } sharedTweet { tweetId } quotedTweet { tweetId }
        } }
      } }`,
    );
    return (data as { user: Shown }).user;
  });
  const people = await Promise.all(shown);
  return [
    ...people.map(userRecord),
    ...people.flatMap(followRecords),
    ...people.flatMap(({ userId, tweets }) => tweets.nodes.map((tweet) => tweetRecord(userId, tweet))),
  ];
}

function userRecord(shown: Shown): UserRecord {
  const { userId, username, name, description, twitterAccount, createdAt } = shown;
  return {
    kind: 'user',
    userId,
    username,
    name,
    ...(description !== null && { description }),
    onTwitter: twitterAccount !== null,
    createdAt: new Date(createdAt),
  };
}

function followRecords({ userId, followers }: Shown): FollowRecord[] {
  return followers.edges.map(({ followedAt, node }) => ({
    kind: 'follow',
    follower: { userId: node.userId },
    followee: { userId },
    followedAt: new Date(followedAt),
  }));
}

function tweetRecord(userId: string, shown: ShownTweet): TweetRecord {
  const { createdAt, location, inReplyTo, sharedTweet, quotedTweet, ...same } = shown;
  return {
    ...same,
    kind: 'tweet',
    author: { userId },
    createdAt: new Date(createdAt),
    ...(location && { location: placeOf(location) }),
    ...(inReplyTo && { inReplyToId: inReplyTo.tweetId }),
    ...(quotedTweet && { quotedTweetId: quotedTweet.tweetId }),
    // A share shows the counts of its original; its own are none.
    ...(sharedTweet && { sharedTweetId: sharedTweet.tweetId, likeCount: 0, shareCount: 0, replyCount: 0 }),
    raw: JSON.stringify({ id_str: shown.tweetId, text: shown.content }),
  };
}

function placeOf({ latitude, longitude, country }: NonNullable<ShownTweet['location']>) {
  return { latitude, longitude, ...(country !== null && { country }) };
}
