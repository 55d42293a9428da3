import { decodeCursor } from '../lists/cursor';
import { Alarm } from './alarm';
import { Watcher } from './watcher';
import type { Live, Reading } from './live';
import type { WatchedList, NewNode } from './watched-list';

/** How many of the newest rows are read after a signal. If there is none, one row tells whether there is something new. */
const ROWS_AFTER_SIGNAL = 10;

/**
 * Gives the new nodes of a list as they come, until the subscription ends: from a cursor on, oldest first, or from now on. No node is left
 * out, but some may come again after a cursor. Each time it reads, it looks back `LOOK_BACK_MS`; rows that reach the list later than that
 * are found among the late arrivals. Throws `BAD_USER_INPUT` for a cursor of another list.
 */
export async function* watch<R, N, C extends Reading>(
  live: Live<C>,
  watched: WatchedList<R, N, C>,
  after: string | null,
): AsyncGenerator<NewNode<N>> {
  const alarm = new Alarm(live, watched.topics, watched.late.topic);
  try {
    const name = await live.begin(() =>
      live.read(async (context) => (await watched.open(context, new Date())).list.name),
    );
    const watcher = new Watcher(live, watched, name, alarm);
    yield* after === null ? watcher.readFromNow() : watcher.catchUp(decodeCursor(name, after));
    alarm.ask(() => watcher.isUnchanged());
    for (let woken = await alarm.wait(); woken !== 'end'; woken = await alarm.wait()) {
      const nodes = woken === 'signal' ? await watcher.lookAt(alarm.takeItems()) : null;
      if (nodes !== null) {
        yield* nodes;
        continue;
      }
      yield* watcher.readNew(woken === 'signal' ? ROWS_AFTER_SIGNAL : 1);
      if (woken === 'time') yield* watcher.readLate();
    }
  } finally {
    alarm.close();
  }
}
