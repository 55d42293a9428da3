import { tab, type Tab } from '../kit/graphiql/tab';

/** Tabs of what nobody is followed for: days, rankings, words, places. */
export const discoveryTabs: readonly Tab[] = [
  tab(
    `# What everybody wrote on one day (UTC), newest first.
# The demo network ends on 2026-10-31.
# Cost: the shards of that day in tweets_by_day, read at
# once and merged, and one batch of reads for the counts.

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
    `# Who is followed most, and who follows most of those.
# at: the rankings of then; null: those of now. The server
# takes them each hour, the first soon after its start.
# Cost: one partition of rankings, and one batch of reads
# for the users.

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
    `# Tweets that have all of some words, whatever their case and
# accents; #tag and @name are found with and without sign.
# order is MOST_LIKED (the default) or NEWEST.
# Cost: the rarest word's partitions; a tweet is a partition.
# Trends count the authors of the last days, the latest most;
# what the demo says is older: post some #hashtags first.

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
    `# When and where: tweets by hour and language, those of a box
# (west above east crosses the antimeridian), and how many
# there are in each geohash of it.
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
