import type { Context, Viewer } from '../../context';
import type { Live } from '../../kit/subscriptions/live';
import { requireStaying } from './viewer';

/** How often a subscription looks whether the account of its user is being deleted, in milliseconds. */
const LOOK_EVERY_MS = 2000;

/** The parts of a subscription's context that this needs. */
interface LeavableContext {
  readonly live: Pick<Live<Context>, 'ending' | 'ticker'>;
  readonly viewer: Viewer;
}

/** The events of a subscription, which ends with `FORBIDDEN` once the account of its user is being deleted. */
export async function whileStaying<E>(
  { live, viewer }: LeavableContext,
  events: AsyncIterable<E>,
): Promise<AsyncIterable<E>> {
  // While the request may read.
  const userId = await viewer.userId();
  return userId === null ? events : untilLeaving(live, viewer, userId, events);
}

async function* untilLeaving<E>(
  live: LeavableContext['live'],
  viewer: Viewer,
  userId: string,
  events: AsyncIterable<E>,
): AsyncGenerator<E> {
  let cancel = () => undefined as unknown;
  const look = () => {
    if (viewer.isLeaving(userId)) live.ending.end();
    else cancel = live.ticker.after(LOOK_EVERY_MS, look);
  };
  look();
  try {
    yield* events;
  } finally {
    cancel();
  }
  requireStaying(viewer, userId);
}
