import { tab, type Tab } from '../kit/graphiql/tab';

/** The tabs about likes and shares. */
export const likesTabs: readonly Tab[] = [
  tab(
    `# The tweets that a person likes, newest like first, who else
# likes them, and whether the viewer likes or shares them; and
# the person's own tweets, most liked first.
# The mutations are likeTweet, unlikeTweet, shareTweet and
# unshareTweet.
# Cost: one partition each of profiles_by_username and
# likes_by_user, and one request for the tweets; one partition
# of likes_by_tweet for each tweet, in one request; one request
# each for counts, users, and the viewer's likes and shares.
# Most liked: one partition of tweets_by_author, which shows how
# many tweets there are, one of top_tweets_by_author, and one
# request each for the counts and the tweets.

query LikesAndShares($username: String!) {
  user(username: $username) {
    likes(first: 5) {
      nodes {
        content
        author {
          username
        }
        likeCount
        shareCount
        viewerHasLiked
        viewerHasShared
        likers(first: 5) {
          edges {
            likedAt
            node {
              username
            }
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
    tweets(first: 5, order: MOST_LIKED) {
      nodes {
        content
        likeCount
        shareCount
      }
    }
  }
}
`,
    { username: 'ada' },
  ),
];
