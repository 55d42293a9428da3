import { tweetExported } from './exported';
import { tweetDeletionParts, tweetSwept } from './account-deletion';
import type { WriteFeature } from '../write-feature';
import { engagementTable, tweetTables } from './derived';
import { deleteHandler, unshareHandler } from './delete-tweet';
import { postHandler } from './post-tweet';
import { unlikeHandler } from './remove-likes';
import { threadTable } from './thread-entries';
import { TweetMutations } from './tweet.mutations';

/** The mutations of tweets, and the tasks that they enqueue. */
export const tweetWrites: WriteFeature = {
  mutations: [TweetMutations],
  tasks: { post: postHandler, delete: deleteHandler, unshare: unshareHandler, unlike: unlikeHandler },
  accountDeletion: tweetDeletionParts,
  exported: tweetExported,
  swept: tweetSwept,
  derived: [...tweetTables, engagementTable, threadTable],
};
