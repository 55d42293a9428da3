import { forbidden, unauthenticated } from '../kit/base/errors';
import type { Load } from '../kit/data/load';
import { isId } from '../kit/base/ids';
import { users } from '../user/user.table';
import { OWN_ISSUER } from './token';
import type { Caller, Viewer } from '../context';
import { usersByIdentity } from './viewer.table';

/** Makes a request's viewer. `signsItself`: the subject of a token of this server's own is a user's id. */
export function createViewer(load: Load, caller: Caller, signsItself: boolean): Viewer {
  let found: Promise<string | null> | undefined;
  return {
    caller,
    userId: () => (found ??= caller.kind === 'person' ? userOf(load, caller, signsItself) : none),
    forget: () => void (found = undefined),
  };
}

const none = Promise.resolve(null);

/** The user that the caller acts as; `UNAUTHENTICATED` where there is none, `FORBIDDEN` for services. */
export async function requireViewer(viewer: Viewer): Promise<string> {
  const userId = await viewer.userId();
  if (viewer.caller.kind === 'service') throw forbidden('A service acts for nobody: this needs a user.');
  if (userId === null)
    throw unauthenticated(
      viewer.caller.kind === 'person'
        ? 'This identity has no user yet: make one by createUser.'
        : 'This needs the token of a user.',
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
  const made = await load(usersByIdentity.get, { issuer, subject });
  return made && (await load(users.get, made)) ? made.userId : null;
}
