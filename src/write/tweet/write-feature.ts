import type { WriteFeature } from '../write-feature';
import { tweetTables } from './derived';
import { deleteHandler } from './delete-tweet';
import { postHandler } from './post-tweet';
import { unlikeHandler, unshareHandler } from './remove-acts';
import { TweetMutations } from './tweet.mutations';

/** The mutations of tweets, and the tasks that they enqueue. */
export const tweetWrites: WriteFeature = {
  mutations: [TweetMutations],
  tasks: { post: postHandler, delete: deleteHandler, unshare: unshareHandler, unlike: unlikeHandler },
  derived: tweetTables,
};
