import { tab, type Tab } from '../tools/graphiql/tab';

/** The tabs about finding people, and about what somebody keeps. */
export const peopleTabs: readonly Tab[] = [
  tab(
    `# Whom somebody may mean who types this, those first whom ada
# follows. Try "z", or the start of a name with accents left out.
query FindPeople($text: String!) {
  searchUsers(text: $text, first: 10) {
    username
    name
    followerCount
    viewerIsFollowing
    isFollowingViewer
  }
}
`,
    { text: 'a' },
  ),

  tab(
    `# Ada's bookmarks, which only she sees. bookmarkTweet adds one,
# with a folder or without.
query Bookmarks($folder: String) {
  viewer {
    bookmarkFolders {
      name
      count
    }
    bookmarks(folder: $folder, first: 10) {
      edges {
        bookmarkedAt
        folder
        hiddenReason
        tweetId
        node {
          content
          author {
            username
          }
          viewerHasBookmarked
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
    { folder: 'To read' },
  ),
];
