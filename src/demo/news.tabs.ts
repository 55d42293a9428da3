import { tab, type Tab } from '../kit/graphiql/tab';

/** The tabs about articles and comments. */
export const newsTabs: readonly Tab[] = [
  tab(
    `# The articles of one day (UTC), ten by default, and the
# comments that their own authors added since.
# Cost: one partition of articles_by_day, which has the
# authors' names; one of author_comments_by_article for each
# article, in one request.

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
# Cost: one partition of buckets, which tells the days that
# have comments; one of comments_by_day, which has names and
# titles, for each day that the page needs; one each of
# profiles_by_username and articles_by_user, and one request
# for the counts.
# The mutations are publishArticle and addComment.

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
