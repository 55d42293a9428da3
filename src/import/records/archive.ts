import { decodeEntities } from './entities';
import { withoutUndefined } from './given';
import { objectAt, stringAt, valueAt, type JsonObject } from './json';
import { exactAt, memberSource } from './json-member';
import type { FollowRecord, Person, UserRecord } from './record';
import { optionalText, optionalTime, optionalUsername, requiredId, RowError } from './row';

/** The parts of an archive of Twitter that are imported. */
export const archiveParts: readonly string[] = ['tweet', 'account', 'follower', 'following'];

/** Whether the part of an archive with this name is imported. Newer archives call the part of the tweets `tweets`. */
export function isArchivePart(name: string): boolean {
  return name === 'tweets' || archiveParts.includes(name);
}

/** Why a record of an archive that names no author cannot be imported. */
export const NO_OWNER = 'no owner: an archive has it in account.js, which must be in the folder of the file';

/** The profile of the owner of an archive, from its `account.js`. `source` gives the text that `account` was parsed from. */
export function userOfAccount(account: JsonObject, source: () => string | undefined): UserRecord {
  const userId = requiredId('accountId', exactAt(account, 'accountId', source));
  const username = optionalUsername(stringAt(account, 'username'));
  if (username === undefined) throw new RowError('no username');
  return {
    kind: 'user',
    userId,
    username,
    name: decodeEntities(optionalText(stringAt(account, 'accountDisplayName')) ?? username),
    onTwitter: true,
    ...withoutUndefined({ createdAt: optionalTime('createdAt', valueAt(account, 'createdAt')) }),
  };
}

/** A follower of the owner of an archive, or somebody whom the owner follows. `source` is the text that `object` was parsed from. */
export function followOfArchive(
  object: JsonObject,
  name: 'follower' | 'following',
  source: string,
  owner: Person | undefined,
): FollowRecord {
  const userId = exactAt(objectAt(object, name), 'accountId', () => memberSource(source, name));
  const other = { userId: requiredId('accountId', userId) };
  if (owner === undefined) throw new RowError(NO_OWNER);
  if (other.userId === owner.userId) throw new RowError('a user cannot follow themselves');
  return name === 'following'
    ? { kind: 'follow', follower: owner, followee: other }
    : { kind: 'follow', follower: other, followee: owner };
}
