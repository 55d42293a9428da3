import { tab, type Tab } from '../tools/graphiql/tab';

/** The tab about notifications. */
export const notificationsTabs: readonly Tab[] = [
  tab(
    `# What happened to ada, by the token under Headers:
# likes of one tweet are one notification.
query Notifications {
  viewer {
    unreadNotifications {
      count
      isCapped
    }
    notifications(first: 10) {
      edges {
        cursor
        node {
          kind
          text
          listedAt
          isSeen
          actorCount
          actors(first: 3) {
            nodes {
              username
            }
          }
          tweet {
            content
          }
          comment {
            body
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
];
