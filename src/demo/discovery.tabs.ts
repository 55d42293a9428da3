import { tab, type Tab } from '../kit/graphiql/tab';

/** The tabs about discovery: days, rankings, words, and points on the map. */
export const discoveryTabs: readonly Tab[] = [
  tab(
    `# What everybody wrote on one day (UTC), newest first.
# The demo network ends on 2026-10-31.
# Cost: the eight shards of that day in tweets_by_day, in one
# request, and merged; one request each for the counts, the
# authors, and what was deleted lately.

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
    `# The accounts with the most followers, and the users who
# follow the most of these accounts.
# Give a time as "at" for the rankings of that time; null
# gives the latest. The server takes rankings every hour,
# first soon after its start.
# Cost: one partition of rankings, and one request for the
# users.

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
    `# Tweets that have all the given words; case and accents are
# ignored, and #tag and @name match with and without the sign.
# order is MOST_LIKED (the default) or NEWEST.
# Cost: the postings of the words, which tell the tweets that
# have them, and which the server then keeps; one request each
# for the counts of those tweets, the tweets, and the authors.
# Trends count the authors who used a hashtag in the last
# days; the latest count most. The demo's tweets are older, so
# post some #hashtags first.

query Search($words: [String!]!) {
  searchTweets(words: $words, first: 5) {
    nodes {
      content
      likeCount
      author {
        username
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
    `# When and where: the numbers of tweets by day and language,
# the tweets in a box (if west is greater than east, the box
# crosses the antimeridian), and how many there are in each
# geohash of the box.
# Cost: at most 64 cells of a grid, however large the box is.

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
