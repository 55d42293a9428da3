import { tab, type Tab } from '../kit/graphiql/tab';
import { discoveryTabs } from './discovery.tabs';
import { likesTabs } from './likes.tabs';
import { newsTabs } from './news.tabs';

/** The default tabs of GraphiQL, in order. They work on the demo network; GraphiQL names each tab after its operation. */
export const tabs: readonly Tab[] = [
  tab(
    `# The viewer's home timeline: the newest 25 tweets by the
# people they follow, with authors and counts, and whether the
# viewer likes or shares them.
# The viewer is the user of the token under Headers, below:
# at first Ada of the demo network. For another token:
# npm run token -- USERNAME
# Cost: one partition each of users and timelines_by_user;
# one request each for all counts, all authors, the viewer's
# likes and shares, and what was deleted lately. What the
# server has read in the last two seconds is not read again.
# Ctrl-Enter runs it. The Cost panel, the fourth icon on the
# left, shows what it read. Hover over a field to see the
# most that it can read.

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
# Cost: one partition each of profiles_by_username,
# user_counts and tweets_by_author; one request for all linked
# tweets, one for their authors.

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
# followedAt belongs to the relation, so it is a field of
# the edge, not of the user.
# Cost: one partition each of profiles_by_username,
# user_counts, followers_by_user and following_by_user, and
# one request for the users of both lists.

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
    `# A timeline, page by page. Run it, copy endCursor from the
# answer into the variable "after", in quotes, and run it
# again to get the next five. Use last and before in place of
# first and after to go back towards the newest.
# A cursor is a position: it works after a restart, and even
# if the tweet there has been deleted.
# Cost: the same on every page: one partition of
# timelines_by_user, and what was deleted lately.

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

  ...likesTabs,

  ...discoveryTabs,

  ...newsTabs,

  tab(
    `# Any object by its id, which is unique across all types.
# 1. Run SomeIds: the run button offers both operations.
# 2. Copy ids from the answer into the variable "ids" and
#    run ById. The answer has the order of the ids, and null
#    for an unknown id. For a single id use node(id: ...).
# Cost: one request for each type; at most 100 ids.

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
    `# Mutations need the token of a user, which is under Headers
# below. A retry with the same idempotencyKey does not create
# a second tweet; likeTweet, followUser and the others can be
# repeated without a key. The answer shows what the writer
# sees now.

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

/** The content of a new tab. */
export const emptyTab = `# Ctrl-Space completes, Ctrl-Enter runs.
# The docs on the left say what each field costs.

{
  user(username: "ada") {
    name
  }
}
`;
