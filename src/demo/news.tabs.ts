import { tab, type Tab } from '../kit/graphiql/tab';

/** Tabs of articles and comments. */
export const newsTabs: readonly Tab[] = [
  tab(
    `# The articles of one day (UTC), ten if not told otherwise,
# and what their own authors said about them since.
# Cost: one partition of articles_by_day, which has the
# authors' names; for each article one of buckets and, a
# month, one of author_comments_by_article. All that are
# of one table are one request.

query ArticlesOfDay($day: Date!) {
  articlesOfDay(day: $day) {
    nodes {
      title
      tags
      publishedAt
      author {
        name
      }
      body
      authorComments(first: 3) {
        nodes {
          body
          createdAt
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
    `# What was said in a period, newest first, and what Ada
# published.
# Cost: one partition of buckets and, a day walked, one of
# comments_by_day, which has names and titles; the username,
# the user, one of buckets and, a month, one of
# articles_by_user; and one request for the counts.
# publishArticle and addComment write, as createTweet does.

query CommentsAndArticles($from: DateTime!, $to: DateTime!, $username: String!) {
  comments(from: $from, to: $to, first: 10) {
    nodes {
      createdAt
      body
      author {
        name
      }
      article {
        title
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
  user(username: $username) {
    name
    articles(first: 5) {
      nodes {
        title
        publishedAt
        commentCount
      }
    }
  }
}
`,
    { from: '2026-10-30T00:00:00Z', to: '2026-11-01T00:00:00Z', username: 'ada' },
  ),
];
