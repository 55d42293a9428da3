import { flag, holding, id, idOf, int, optional, text, timestamp } from '../../kit/cassandra/column';
import { cacheable } from '../../kit/cassandra/statement';
import { table } from '../../kit/cassandra/table';

/**
 * The pulled authors that a user follows, whose tweets are merged in when the timeline is read. A row with `pulled` false is an author that
 * the user has unfollowed, whose tweets are still being removed from the timeline. `sinceVersion` is the result of `pulledSince`.
 */
export const pulledByUser = table(
  'pulled_by_user',
  { userId: idOf('User'), authorId: idOf('User'), pulled: optional(flag), sinceVersion: optional(int) },
  {
    writeLoad: { rows: { follow: 0.1 }, bytes: 25, spread: { over: 'people' }, most: 2000 },
    partition: ['userId'],
    clustering: ['authorId'],
    order: 'asc',
  },
);

/** Whether each of two users follows, or blocks, the other. Lists, counts, timelines and what users may see are derived from this. */
export const relations = table(
  'relations',
  {
    pair: holding(text(2 * id.maxBytes + 1), 'User'),
    lowFollows: optional(flag),
    lowSince: optional(timestamp),
    lowAt: optional(timestamp),
    lowVersion: optional(int),
    lowImported: optional(flag),
    highFollows: optional(flag),
    highSince: optional(timestamp),
    highAt: optional(timestamp),
    highVersion: optional(int),
    highImported: optional(flag),
    lowBlocks: optional(flag),
    lowBlocksAt: optional(timestamp),
    highBlocks: optional(flag),
    highBlocksAt: optional(timestamp),
  },
  {
    role: { kind: 'truth', why: 'it decides who follows and blocks whom' },
    writeLoad: {
      rows: { follow: 1, block: 1 },
      transactions: { follow: 1, block: 1 },
      bytes: 60,
      spread: { over: 'acts' },
    },
    partition: ['pair'],
  },
);

/** The same with what requests show of it. */
export const shownRelations = table(
  'relations',
  {
    pair: relations.columns.pair,
    lowFollows: optional(flag),
    highFollows: optional(flag),
    lowBlocks: optional(flag),
    lowBlocksAt: optional(timestamp),
    highBlocks: optional(flag),
    highBlocksAt: optional(timestamp),
  },
  { partition: ['pair'] },
);

/** Reads relations to show what depends on them, perhaps as they were a moment ago. Two users without a row have none. */
export const cachedRelations = cacheable(shownRelations.get, { absence: true });
