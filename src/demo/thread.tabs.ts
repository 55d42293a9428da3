import { tab, type Tab } from '../tools/graphiql/tab';
import { CONVERSATION } from './conversation';

/** The tabs about conversations, and about who quotes and shares a tweet. */
export const threadTabs: readonly Tab[] = [
  tab(
    `# A conversation in the order of display. Copy endCursor, or
# the cursor of moreReplies, into "after" to go on there.
query Thread($tweetId: String!, $after: String) {
  tweet(tweetId: $tweetId) {
    thread(first: 50, after: $after, order: OLDEST) {
      edges {
        depth
        tweetId
        hiddenReason
        node {
          content
          author {
            username
          }
        }
        moreReplies {
          count
          cursor
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
`,
    { tweetId: CONVERSATION, after: null },
  ),

  tab(
    `# Who quotes and shares a tweet; and of ada's latest tweets,
# where their conversations begin and what stands above them.
query QuotesSharersAncestors($tweetId: String!, $username: String!) {
  tweet(tweetId: $tweetId) {
    quoteCount
    quotes(first: 10) {
      nodes {
        content
        author {
          username
        }
      }
    }
    shareCount
    sharers(first: 10) {
      hiddenCount
      edges {
        sharedAt
        node {
          username
        }
      }
    }
  }
  user(username: $username) {
    tweets(first: 5) {
      nodes {
        content
        root {
          content
        }
        ancestors {
          nodes {
            content
          }
        }
      }
    }
  }
}
`,
    { tweetId: CONVERSATION, username: 'ada' },
  ),
];
