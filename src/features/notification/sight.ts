import type { Context } from '../../context';
import type { tweets } from '../tweet/tweet.table';
import type { Load } from '../../kit/reads/load';
import type { Row } from '../../kit/cassandra/table';

/** What the caller may not see. */
export type Sight = null;

/** Something that somebody has made. */
interface Item {
  readonly kind: 'user' | 'tweet' | 'comment' | 'article';
  readonly authorId: string;
  readonly tweet?: Row<typeof tweets>;
}

/** Reads what the caller may not see. */
export function sightOf(_context: Context): Promise<Sight> {
  return Promise.resolve(null);
}

/** Why the caller may not see something; null if that may be seen. */
export function mayShow(_sight: Sight, _item: Item, _place: 'NOTIFICATIONS'): string | null {
  return null;
}

/** Whether either of two users blocks the other. */
export function areBlocked(_load: Load, _one: string, _other: string): Promise<boolean> {
  return Promise.resolve(false);
}
