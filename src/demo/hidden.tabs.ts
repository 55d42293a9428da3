import { tab, type Tab } from '../tools/graphiql/tab';

/** The tabs about blocks, mutes and muted words. */
export const hiddenTabs: readonly Tab[] = [
  tab(
    `# What the viewer hides. ada blocks one person and mutes another;
# hiddenCount says how many followers of a page are left out for that.
query Hidden($username: String!) {
  user(username: $username) {
    blockedUsers(first: 10) {
      edges {
        blockedAt
        node {
          username
          viewerIsBlocking
        }
      }
    }
    mutedUsers(first: 10) {
      edges {
        scope
        until
        node {
          username
        }
      }
    }
    mutedWords {
      id
      text
      where
    }
    followers(first: 10) {
      hiddenCount
      nodes {
        username
      }
    }
  }
}
`,
    { username: 'ada' },
  ),
];
