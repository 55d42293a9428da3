import { forbidden, unauthenticated } from '../kit/base/errors';
import type { Load } from '../kit/data/load';
import { isId } from '../kit/base/ids';
import { users } from '../user/user.table';
import { OWN_ISSUER } from './token';
import type { Caller, Viewer } from '../context';
import { usersByIdentity } from './viewer.table';

/** Creates the viewer of a request. `signsItself`: tokens of `OWN_ISSUER` have a user's id as subject. */
export function createViewer(load: Load, caller: Caller, signsItself: boolean): Viewer {
  let found: Promise<string | null> | undefined;
  return {
    caller,
    userId: () => (found ??= caller.kind === 'person' ? userOf(load, caller, signsItself) : none),
    get isKnown() {
      return found !== undefined;
    },
    forget: () => void (found = undefined),
  };
}

const none = Promise.resolve(null);

/** The id of the caller's user. Throws `UNAUTHENTICATED` if there is none, `FORBIDDEN` for services. */
export async function requireViewer(viewer: Viewer): Promise<string> {
  const userId = await viewer.userId();
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

async function userOf(
  load: Load,
  { issuer, subject }: Caller & { kind: 'person' },
  signsItself: boolean,
): Promise<string | null> {
  if (signsItself && issuer === OWN_ISSUER && isId(subject) && (await load(users.get, { userId: subject })))
    return subject;
  const known = await load(usersByIdentity.get, { issuer, subject });
  return known && (await load(users.get, known)) ? known.userId : null;
}
