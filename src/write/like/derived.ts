import type { AnyTable } from '../../kit/cassandra/table';
import { readMany } from '../../kit/data/load';
import { tallies, tallyShardOf } from '../../kit/work/tally';
import { likesByTweet, likesByUser } from '../../like/like.table';
import { tweets } from '../../tweet/tweet.table';
import { textOf, type DerivationSource, type DerivedTable } from '../derived-table';
import { likeRowsOf } from './like-rows';

/** The likes. The source key is `<tweet id> <user id>`. */
const likeSource: DerivationSource = {
  table: tallies,
  // The row of member 0 has the count of the list, and may also have the like of the user with id 0.
  keyOf: (key) => (key['list'] === 'likes' ? `${textOf(key, 'owner')} ${textOf(key, 'member')}` : null),
  async *writesOf({ database }, sourceKeys) {
    const named = sourceKeys.map((one) => {
      const [tweetId = '', userId = ''] = one.split(' ');
      return { tweetId, userId };
    });
    const [found, memberships] = await Promise.all([
      readMany(database, tweets.get, named),
      readMany(
        database,
        tallies.get,
        named.map(({ tweetId, userId }) => ({
          owner: tweetId,
          shard: tallyShardOf(userId),
          member: userId,
          list: 'likes',
        })),
      ),
    ]);
    yield named.flatMap(({ tweetId, userId }, index) => {
      const membership = memberships[index];
      // The tallies of a deleted tweet stay if its id is also a user's.
      if (!membership || found[index] === null) return [];
      return likeRowsOf(tweetId, userId, { ...membership, present: membership.present === true });
    });
  },
};

function likeList(table: AnyTable): DerivedTable {
  return { table, sources: [likeSource], sourceKeyOf: (row) => textOf(row, 'tweetId', 'userId') };
}

/** The lists of likes. */
export const likeTables: readonly DerivedTable[] = [likesByTweet, likesByUser].map(likeList);
