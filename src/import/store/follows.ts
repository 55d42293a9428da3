import { relations } from '../../follow/follow.table';
import { importedRelation, timeOf } from '../../follow/relation';
import { followRowsOf } from '../../write/follow/follow-rows';
import { writeOf } from '../../kit/data/write';
import type { RowWriter } from '../../kit/data/row-writer';

/**
 * Writes a relation, with its rows in both users' lists. The rows carry the time when the relation began, so they undo
 * nothing that users have done here since.
 */
export type StoreFollow = (follower: string, followee: string, followedAt: Date) => Promise<void>;

/** Creates the function that stores the relations of an import. */
export function createFollows(writer: RowWriter): StoreFollow {
  return async (follower, followee, followedAt) => {
    const relation = { follows: true, since: followedAt, at: followedAt, version: 0 };
    const timing = { at: timeOf(relation) };
    await writer.put(writeOf(relations, importedRelation(follower, followee, followedAt), timing));
    for (const write of followRowsOf(follower, followee, relation)) await writer.put(write);
  };
}
