import type { Context, Viewer } from '../../context';
import { forbidden } from '../../kit/base/errors';
import type { Guard } from '../../kit/lists/connection-field';
import { VIEWER_READS } from './viewer-reads';

/** Throws `FORBIDDEN` unless the caller is a service or has this user. */
export async function requireOwner(viewer: Viewer, userId: string, message: string): Promise<void> {
  if (viewer.caller.kind !== 'service' && (await viewer.userId()) !== userId) throw forbidden(message);
}

/** Lets only their user and services see the lists of a user. */
export function onlyOwner(message: string): Guard<Context> {
  return { reads: VIEWER_READS, check: ({ viewer }, userId) => requireOwner(viewer, userId, message) };
}
