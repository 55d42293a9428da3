import { tab, type Tab } from '../tools/graphiql/tab';

/** The tabs about articles and comments. */
export const newsTabs: readonly Tab[] = [
  tab(
    `# The articles of one day (UTC), and the comments that
# their own authors added since.
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
    `# The comments of a period, newest first, and the articles
# that Ada published.
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
