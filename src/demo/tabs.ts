import { tab, type Tab } from '../tools/graphiql/tab';
import { discoveryTabs } from './discovery.tabs';
import { hiddenTabs } from './hidden.tabs';
import { leavingTabs } from './leaving.tabs';
import { likesTabs } from './likes.tabs';
import { newsTabs } from './news.tabs';
import { peopleTabs } from './people.tabs';
import { notificationsTabs } from './notifications.tabs';
import { threadTabs } from './thread.tabs';

/** The default tabs of GraphiQL, in order. They work on the demo network; GraphiQL names each tab after its operation. */
export const tabs: readonly Tab[] = [
  tab(
    `# Ada's home timeline, by the
# token under Headers.
query HomeTimeline {
  viewer {
    username
    timeline(first: 25) {
      nodes {
        id
        content
        createdAt
        likeCount
        shareCount
        replyCount
        viewerHasLiked
        viewerHasShared
        author {
          username
          name
        }
        sharedTweet {
          author {
            username
            name
          }
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
    {},
  ),

  tab(
    `# A person and their latest tweets, with the tweets that
# these reply to, share or quote.
query Person($username: String!) {
  user(username: $username) {
    userId
    username
    name
    description
    twitterAccount
    createdAt
    followerCount
    followingCount
    tweetCount
    tweets(first: 10) {
      nodes {
        tweetId
        content
        createdAt
        language
        hashtags
        mentions
        location {
          latitude
          longitude
          country
        }
        inReplyTo {
          ...Linked
        }
        sharedTweet {
          ...Linked
        }
        quotedTweet {
          ...Linked
        }
      }
    }
  }
}

fragment Linked on Tweet {
  tweetId
  content
  author {
    username
  }
}
`,
    { username: 'ada' },
  ),

  tab(
    `# Ada's followers and the people she follows, newest first.
query FollowersAndFollowing($username: String!) {
  user(username: $username) {
    followerCount
    followingCount
    followers(first: 10) {
      edges {
        followedAt
        node {
          username
          name
        }
      }
    }
    following(first: 10) {
      edges {
        followedAt
        node {
          username
          name
        }
      }
    }
  }
}
`,
    { username: 'ada' },
  ),

  tab(
    `# A timeline, page by page: copy endCursor into "after" for
# the next five. It works even if its tweet was deleted.
query TimelinePage($first: Int!, $after: String) {
  viewer {
    timeline(first: $first, after: $after) {
      edges {
        cursor
        node {
          tweetId
          content
          createdAt
        }
      }
      pageInfo {
        hasNextPage
        hasPreviousPage
        startCursor
        endCursor
      }
    }
  }
}
`,
    { first: 5, after: null },
  ),

  ...threadTabs,
  ...likesTabs,
  ...peopleTabs,
  ...notificationsTabs,

  ...hiddenTabs,

  ...discoveryTabs,

  ...newsTabs,

  tab(
    `# Any object by its id: run SomeIds, copy ids into the
# variable "ids", run ById.
query SomeIds {
  user(username: "ada") {
    id
    tweets(first: 3) {
      nodes {
        id
      }
    }
  }
}

query ById($ids: [ID!]!) {
  nodes(ids: $ids) {
    __typename
    id
    ... on User {
      username
      name
    }
    ... on Tweet {
      content
      author {
        username
      }
    }
  }
}
`,
    { ids: [] },
  ),

  tab(
    `# Needs a user's token, under Headers. Sending it again with
# the same idempotencyKey creates no second tweet.
mutation Post($input: CreateTweetInput!) {
  createTweet(input: $input) {
    tweet {
      id
      content
      hashtags
      author {
        username
        tweetCount
      }
    }
  }
}
`,
    { input: { content: 'Hello from #GraphiQL', idempotencyKey: 'hello' } },
  ),

  ...leavingTabs,
];

/** The content of a new tab. */
export const emptyTab = `# Ctrl-Space completes, Ctrl-Enter runs.
# The Cost panel on the left shows what it costs.

{
  user(username: "ada") {
    name
  }
}
`;
