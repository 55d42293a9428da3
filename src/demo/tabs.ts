import { tab, type Tab } from '../kit/graphiql/tab';
import { discoveryTabs } from './discovery.tabs';
import { newsTabs } from './news.tabs';

/** The default tabs, in order. They work on the demo network; GraphiQL names each tab after its operation. */
export const tabs: readonly Tab[] = [
  tab(
    `# The home timeline of the viewer: the newest 25 tweets by
# the people whom they follow, with author and counts.
# The viewer is whom the token under Headers, below, names:
# at first Ada of the demo network. For another token:
# npm run token -- USERNAME
# Cost: one partition of users_by_identity and of users; one
# of timelines_by_user a month, found by one of buckets and
# one of pulled_by_user; and one request each for all the
# counts and all the authors.
# Ctrl-Enter runs it. Hover over a field to see its cost.

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
        author {
          username
          name
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
    `# A person and what they wrote last, with the tweets
# that theirs answer, share or quote.
# Cost: the username, the user and their counts, one
# partition of buckets and one of tweets_by_author a month,
# and one request each for the linked tweets of the page
# and for their authors.

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
    `# Who follows Ada and whom she follows, newest first.
# followedAt belongs to the relation: it stands on the
# edge, not on the user.
# Cost: one partition of followers_by_user, one of
# following_by_user, and one batch for the users of both.

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
    `# Page by page. Run it, copy endCursor of the answer into
# the variable "after", in quotes, and run it again: the
# next five. last and before, in place of first and after,
# go back towards the newest.
# A cursor is a position: it works after a restart, and
# when the tweet it names has been deleted.
# Cost: the same however far: one partition of
# timelines_by_user for each month that the page touches.

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

  ...discoveryTabs,

  ...newsTabs,

  tab(
    `# Anything by its id, which is unique over all types.
# 1. Run SomeIds: the run button offers both operations.
# 2. Copy ids of the answer into the variable "ids" and
#    run ById. The answers keep the order, null where
#    nothing is. For one id there is node(id: ...).
# Cost: one batch for each type among the ids; at most 100.

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
    `# Writing takes the token of a user, which is under Headers
# below. A retry with the same idempotencyKey makes no second
# tweet; likeTweet, followUser and the others can be repeated
# as they are. The answer shows what the writer sees now.

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
];

/** What a new tab starts with. */
export const emptyTab = `# Ctrl-Space completes, Ctrl-Enter runs.
# The docs on the left say what each field costs.

{
  user(username: "ada") {
    name
  }
}
`;
