import type { Row } from '../../kit/cassandra/table';
import type { Load } from '../../kit/reads/load';
import { bareIfHidden } from '../hidden/bare-user';
import { cachedUser, type users } from './user.table';

/** Reads the author of something, to show it perhaps as it was a moment ago. */
export async function readAuthor(load: Load, userId: string): Promise<Row<typeof users> | null> {
  const user = await load(cachedUser, { userId });
  return user && bareIfHidden(load, user);
}
