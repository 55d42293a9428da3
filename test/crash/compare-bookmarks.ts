import { z } from 'zod';
import { ownBookmarks } from './bookmark.act';
import type { Client } from './client';
import type { Differences } from './differences';
import { seenPost, whyHidden } from './hidden';
import { inParallel } from './in-parallel';
import type { World } from './world';

const searchUsers = {
  name: 'searchUsers',
  source: 'query ($text: String!) { found: searchUsers(text: $text) { username name } }',
  data: z
    .object({ found: z.array(z.object({ username: z.string(), name: z.string() })) })
    .transform(({ found }) => found),
};

/** Compares the bookmarks and folders of every caller, and whom callers find by the names that they have now. */
export async function compareBookmarks(
  { model }: World,
  service: Client,
  callers: ReadonlyMap<string, Client>,
  differences: Differences,
): Promise<void> {
  await inParallel(callers, async ([username, client]) => {
    const expected = model.bookmarksOf(username);
    const got: string[] = [];
    for (let after: string | null = null; ;) {
      const { bookmarks, bookmarkFolders }: z.infer<typeof ownBookmarks.data> = await client.ask(
        ownBookmarks,
        {
          after,
        },
      );
      for (const { tweetId, folder, node, hiddenReason } of bookmarks.edges) {
        got.push(`${tweetId} in ${folder ?? ''} is hidden by ${hiddenReason}`);
        differences.same(`whether ${tweetId} is shown`, node === null, hiddenReason !== null);
      }
      after = bookmarks.pageInfo.endCursor;
      if (bookmarks.pageInfo.hasNextPage) continue;
      const counts = bookmarkFolders.map(({ name, count }) => `${name} ${count}`);
      differences.sameSet(`folders of ${username}`, counts, countFolders([...expected.values()]));
      break;
    }
    const wanted = [...expected].map(([tweetId, folder]) => {
      const post = model.posts.get(tweetId);
      const reason = post === undefined ? 'DELETED' : whyHidden(model, username, seenPost(post), 'DIRECT');
      return `${tweetId} in ${folder} is hidden by ${reason}`;
    });
    differences.sameSet(`bookmarks of ${username}`, got, wanted);
  });
  await inParallel(model.news.profiles, async ([username, { name }]) => {
    const found = await service.ask(searchUsers, { text: name.replace(/^The /, '') });
    const self = found.find((one) => one.username === username);
    differences.same(`${username} found by the name`, self?.name, name);
  });
}

function countFolders(folders: readonly string[]): string[] {
  const names = [...new Set(folders)].filter((name) => name !== '');
  return names.map((name) => `${name} ${folders.filter((one) => one === name).length}`);
}
