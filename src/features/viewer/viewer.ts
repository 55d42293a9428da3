import { LRUCache } from 'lru-cache';
import { forbidden, unauthenticated } from '../../kit/base/errors';
import type { Row } from '../../kit/cassandra/table';
import type { Load } from '../../kit/reads/load';
import { isId } from '../../kit/base/ids';
import { isPermanent, users } from '../user/user.table';
import { OWN_ISSUER } from './token';
import type { Caller, Viewer } from '../../context';
import { usersByIdentity } from './viewer.table';

/** The ids of the users of callers, which a server has found before. */
type RememberedUsers = Pick<LRUCache<string, string>, 'get' | 'set'>;

/** How long a server remembers the user of a caller, in milliseconds: an operator may have removed the user. */
const MAX_REMEMBERED_MS = 60_000;
/** About how many bytes the remembered callers take. */
const MAX_REMEMBERED_BYTES = 8 * 2 ** 20;
/** The bytes that an entry takes besides its texts. */
const ENTRY_BYTES = 150;

/** Creates what a server remembers of its callers. */
export function createRememberedUsers(): RememberedUsers {
  return new LRUCache<string, string>({
    ttl: MAX_REMEMBERED_MS,
    maxSize: MAX_REMEMBERED_BYTES,
    sizeCalculation: (userId, caller) => ENTRY_BYTES + 2 * (userId.length + caller.length),
  });
}

/**
 * Creates the viewer of a request. `signsItself`: tokens of `OWN_ISSUER` have a user's id as subject. An identity keeps its user for good,
 * so the remembered users spare each request the same reads.
 */
export function createViewer(
  load: Load,
  caller: Caller,
  signsItself: boolean,
  remembered?: RememberedUsers | null,
  isLeaving: (userId: string) => boolean = () => false,
): Viewer {
  let found: Promise<string | null> | undefined;
  let known: string | null | undefined;
  const identityKey = caller.kind === 'person' ? JSON.stringify([caller.issuer, caller.subject]) : '';
  const find = async (person: Caller & { kind: 'person' }) => {
    const userId = remembered?.get(identityKey);
    if (userId !== undefined) return userId;
    const user = await userOf(load, person, signsItself);
    if (user && isPermanent(user)) remembered?.set(identityKey, user.userId);
    return user && user.userId;
  };
  const accountId = () =>
    (found ??=
      caller.kind === 'person'
        ? find(caller).then((userId) => (known = userId))
        : Promise.resolve((known = null)));
  const unlessLeaving = (userId: string | null) => (userId !== null && isLeaving(userId) ? null : userId);
  return {
    caller,
    accountId,
    userId: () => accountId().then(unlessLeaving),
    knownUserId: () => (known === undefined ? undefined : unlessLeaving(known)),
    isSuspended: (userId) => load.isHidden?.(userId) === true,
    isLeaving,
    forget: () => void (found = known = undefined),
  };
}

/**
 * Answers a field that depends on the caller's user; `absent` without one. When the first of many objects has found the user, the others
 * need not wait for it.
 */
export function answerFor<T>(
  viewer: Viewer,
  absent: T,
  answer: (viewerId: string) => T | Promise<T>,
): T | Promise<T> {
  const answerOf = (viewerId: string | null) => (viewerId === null ? absent : answer(viewerId));
  const known = viewer.knownUserId();
  return known === undefined ? viewer.userId().then(answerOf) : answerOf(known);
}

/**
 * The id of the caller's user. Throws `UNAUTHENTICATED` if there is none, `FORBIDDEN` for services, and for a user whose account is being
 * deleted.
 */
export async function requireViewer(viewer: Viewer): Promise<string> {
  const userId = await requireAccount(viewer);
  requireStaying(viewer, userId);
  return userId;
}

/** Throws `FORBIDDEN` if the account of a user is being deleted. */
export function requireStaying(viewer: Viewer, userId: string): void {
  if (viewer.isLeaving(userId))
    throw forbidden(
      'This account is being deleted: cancelAccountDeletion takes that back, as long as the deletion has not begun.',
      'LEAVING',
    );
}

/** The same as `requireViewer`, also of an account that is being deleted. */
export async function requireAccount(viewer: Viewer): Promise<string> {
  const userId = await viewer.accountId();
  if (viewer.caller.kind === 'service')
    throw forbidden("This needs a user's token, but got that of a service.");
  if (userId === null)
    throw unauthenticated(
      viewer.caller.kind === 'person'
        ? 'This identity has no user yet: create one with createUser.'
        : "This needs a user's token, but got none.",
    );
  return userId;
}

/** The id of the caller's user, for a mutation. Throws as `requireViewer` does, and `FORBIDDEN` if the user is suspended. */
export async function requireWriter(viewer: Viewer): Promise<string> {
  const userId = await requireViewer(viewer);
  if (viewer.isSuspended(userId))
    throw forbidden('This user is suspended, and can change nothing.', 'SUSPENDED');
  return userId;
}

/** The name of the service that calls, for the audit log. Throws `UNAUTHENTICATED` without a token, `FORBIDDEN` for a person. */
export function requireService({ caller }: Viewer): string {
  if (caller.kind === 'anonymous') throw unauthenticated('This needs the token of a service, but got none.');
  if (caller.kind === 'person') throw forbidden('This needs the token of a service.');
  return `${caller.issuer} ${caller.subject}`.trim();
}

async function userOf(
  load: Load,
  { issuer, subject }: Caller & { kind: 'person' },
  signsItself: boolean,
): Promise<Row<typeof users> | null> {
  const named =
    signsItself && issuer === OWN_ISSUER && isId(subject) && (await load(users.get, { userId: subject }));
  if (named) return named;
  const known = await load(usersByIdentity.get, { issuer, subject });
  return known && load(users.get, known);
}
