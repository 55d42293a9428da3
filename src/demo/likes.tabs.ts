import { tab, type Tab } from '../tools/graphiql/tab';

/** The tabs about likes and shares. */
export const likesTabs: readonly Tab[] = [
  tab(
    `# The tweets that a person likes and who else likes them;
# and the person's own tweets, most liked first.
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
