import {
  deletedByAuthor,
  quotesByTweet,
  repliesByTweet,
  sharersByTweet,
  sharesByTweet,
  tweetsByAuthor,
  tweetsByDay,
} from '../../features/tweet/tweet.lists';
import { engagementsByUser } from '../../features/tweet/engagement.table';
import { forgetUsers } from '../../features/tweet/record-user-ids';
import { deletedTweets, rawTweets, topTweetsByAuthor, tweets } from '../../features/tweet/tweet.table';
import { createLoad } from '../../kit/reads/load';
import { partitionRemovalOf } from '../../kit/cassandra/write';
import { putAll } from '../../kit/writes/row-writer';
import { threadEntries } from '../../features/thread/thread.lists';
import { buildEntryRemoval, buildThreadEntry } from './thread-entries';
import { clearOwn, undoEach, type DeletionPart, type Swept } from '../account-deletion';
import { finalTime } from '../final-time';
import { ensureDeleted } from './delete-tweet';

/** The tweet stays deleted, so that no import brings it back, but its author is forgotten. */
const forgetAuthor = 'DELETE author_id FROM deleted_tweets WHERE tweet_id = ?';

/** The posts of a person who leaves, and the traces of their deletion. */
export const tweetDeletionParts: readonly DeletionPart[] = [
  undoEach(tweetsByAuthor, {
    phase: 'acts',
    tables: [tweets, tweetsByDay, repliesByTweet, sharesByTweet, quotesByTweet, sharersByTweet],
    undo: (writeServices, _userId, { tweetId }) => ensureDeleted(writeServices, tweetId),
  }),
  undoEach(deletedByAuthor, {
    phase: 'traces',
    tables: [deletedTweets, threadEntries],
    async undo(writeServices, _userId, { tweetId }) {
      const { database } = writeServices;
      const row = await createLoad(database)(deletedTweets.get, { tweetId });
      if (row !== null) {
        // A null is left unset when a row is written, so the row is removed first.
        await putAll(writeServices.bulk(), buildEntryRemoval(row));
        await putAll(writeServices.bulk(), buildThreadEntry({ ...row, authorId: null }, { isGone: true }));
      }
      await database.write(forgetAuthor, [tweetId]);
    },
  }),
  // The list of deleted tweets is cleared before follows end: otherwise each unfollow would remove these tweets from a timeline once more.
  { ...clearOwn('deleted', deletedByAuthor), phase: 'traces' },
  clearOwn('tweets', tweetsByAuthor, topTweetsByAuthor),
  {
    name: 'engagements',
    phase: 'lists',
    tables: [engagementsByUser],
    // Its rows are gone with the likes and shares, and are not counted: the tombstones of a million would make that fail. This removal is
    // stamped later than those of the shares, so that it takes their place: otherwise `rebuild` and `verify` would fail for ten days.
    async *remove(writeServices, { userId }) {
      const removal = partitionRemovalOf(engagementsByUser, { userId }, finalTime(new Date()));
      await putAll(writeServices.bulk(), [removal]);
      yield { after: 'end', rows: {} };
    },
  },
];

/** The records of tweets of others that name the person who leaves. The id is replaced, and the rest of the record stays. */
export const tweetSwept: readonly Swept[] = [
  {
    table: rawTweets,
    columns: ['raw'],
    removals({ tweetId, raw }, userIds) {
      const { record, forgotten } = forgetUsers(String(raw), userIds);
      if (forgotten.size === 0) return [];
      return [
        {
          query: 'UPDATE raw_tweets SET raw = ? WHERE tweet_id = ?',
          params: [record, tweetId],
          ...{ userIds: [...forgotten], isDecided: false },
        },
      ];
    },
  },
];
