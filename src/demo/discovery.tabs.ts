import { tab, type Tab } from '../tools/graphiql/tab';

/** The tabs about discovery: days, rankings, words, and points on the map. */
export const discoveryTabs: readonly Tab[] = [
  tab(
    `# What everybody wrote on one day (UTC), newest first.
# The demo network ends on 2026-10-31.
query TweetsOfDay($day: Date!) {
  tweetsOfDay(day: $day, first: 20) {
    nodes {
      createdAt
      content
      language
      likeCount
      author {
        username
      }
      sharedTweet {
        author {
          username
        }
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
`,
    { day: '2026-10-31' },
  ),

  tab(
    `# The accounts with the most followers, and who follows most
# of these. They are taken every hour; "at" asks for a past one.
query Rankings($at: DateTime) {
  topAccounts(first: 10, at: $at) {
    takenAt
    entries {
      rank
      score
      user {
        username
        name
      }
    }
  }
  topFollowers(first: 10, at: $at) {
    entries {
      rank
      score
      user {
        username
      }
    }
  }
}
`,
    { at: null },
  ),

  tab(
    `# Tweets that have all words, with any case and accents.
# For trends post some #hashtags: the demo's are too old.
query Search($words: [String!]!) {
  searchTweets(words: $words, first: 5) {
    nodes {
      content
      likeCount
      author {
        username
      }
      sharedTweet {
        author {
          username
        }
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
  trendingHashtags(window: WEEK) {
    count
    hashtag {
      name
      tweets(first: 2, order: MOST_LIKED) {
        nodes {
          content
        }
      }
    }
  }
}
`,
    { words: ['cafe'] },
  ),

  tab(
    `# Tweets by day and language, the tweets in a box, and how
# many there are in each geohash of the box.
query WhenAndWhere($area: AreaInput!, $from: DateTime!, $to: DateTime!) {
  tweetFrequency(from: $from, to: $to, unit: DAY) {
    at
    language
    count
  }
  tweetsInArea(area: $area, from: $from, to: $to, first: 5) {
    nodes {
      content
      createdAt
      location {
        latitude
        longitude
      }
    }
  }
  tweetHeatmap(area: $area, from: $from, to: $to) {
    geohash
    latitude
    longitude
    count
  }
}
`,
    {
      area: { south: -60, west: -180, north: 75, east: 180 },
      from: '2026-10-29T00:00:00Z',
      to: '2026-11-01T00:00:00Z',
    },
  ),
];
