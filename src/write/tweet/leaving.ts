import {
  deletedByAuthor,
  repliesByTweet,
  sharesByTweet,
  tweetsByAuthor,
} from '../../features/tweet/tweet.lists';
import { deletedTweets, topTweetsByAuthor, tweets, tweetsByDay } from '../../features/tweet/tweet.table';
import { clearOwn, undoEach, type LeavingPart } from '../leaving';
import { ensureDeleted } from './delete-tweet';

/** The tweet stays deleted, so that no import brings it back; whose it was is forgotten. */
const forgetAuthor = 'DELETE author_id FROM deleted_tweets WHERE tweet_id = ?';

/** What a person who leaves has posted, and what its deletion leaves. */
export const tweetLeaving: readonly LeavingPart[] = [
  undoEach(tweetsByAuthor, {
    phase: 'acts',
    tables: [tweets, tweetsByDay, repliesByTweet, sharesByTweet],
    undo: (writeServices, _userId, { tweetId }) => ensureDeleted(writeServices, tweetId),
  }),
  undoEach(deletedByAuthor, {
    phase: 'traces',
    tables: [deletedTweets],
    undo: ({ database }, _userId, { tweetId }) => database.write(forgetAuthor, [tweetId]),
  }),
  // Before follows end: else each of these would remove the deleted tweets from a timeline once more.
  { ...clearOwn('deleted', deletedByAuthor), phase: 'traces' },
  clearOwn('tweets', tweetsByAuthor, topTweetsByAuthor),
];
