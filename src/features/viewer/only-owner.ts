import type { Context, Viewer } from '../../context';
import { forbidden } from '../../kit/base/errors';
import type { Guard } from '../../kit/lists/connection-field';
import { requireStaying } from './viewer';
import { VIEWER_READS } from './viewer-reads';

/**
 * Throws `FORBIDDEN` unless the caller is a service or has this user, whose account is not being deleted. With `mayLeave`, the account may
 * be one that is being deleted.
 */
export async function requireOwner(
  viewer: Viewer,
  userId: string,
  message: string,
  { mayLeave = false } = {},
): Promise<void> {
  if (viewer.caller.kind === 'service') return;
  if ((await viewer.accountId()) !== userId) throw forbidden(message);
  if (!mayLeave) requireStaying(viewer, userId);
}

/** Lets only their user and services see the lists of a user. */
export function onlyOwner(message: string): Guard<Context> {
  return { reads: VIEWER_READS, check: ({ viewer }, userId) => requireOwner(viewer, userId, message) };
}
