import { relations } from '../../features/follow/follow.table';
import { followIn, followLists } from '../../features/follow/follow.lists';
import { importedRelation, writeTimeOfVersion } from '../../features/follow/relation';
import { writesFrom } from '../../kit/lists/source';
import { writeOf } from '../../kit/cassandra/write';
import type { RowWriter } from '../../kit/writes/row-writer';

/**
 * Writes a relation, with its rows in both users' lists. The rows carry the time when the relation began, so they undo
 * nothing that users have done here since.
 */
export type StoreFollow = (follower: string, followee: string, followedAt: Date) => Promise<void>;

/** Creates the function that stores the relations of an import. */
export function createFollows(writer: RowWriter): StoreFollow {
  return async (follower, followee, followedAt) => {
    const relation = { since: followedAt, at: followedAt, version: 0 };
    const timing = { at: writeTimeOfVersion(relation) };
    await writer.put(writeOf(relations, importedRelation(follower, followee, followedAt), timing));
    const follow = followIn(follower, followee, relation);
    for (const write of follow ? writesFrom(followLists, follow) : []) await writer.put(write);
  };
}
