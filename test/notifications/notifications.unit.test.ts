import { hiddenByUser, rootOfThread, threadTarget } from '../../src/features/hidden/hidden.table';
import { newestUntilSeen } from '../../src/features/notification/notification-view';
import type { NotificationRow } from '../../src/features/notification/notification.table';
import { sourceOf, type List } from '../../src/kit/lists/list-parts';
import { compareKeys } from '../../src/kit/lists/merge';
import { MAX_ID } from '../../src/kit/base/ids';
import { listingAfter, stepOf, type Listing } from '../../src/write/notification/group-listing';

const MINUTE = 60_000;

test('a group that was emptied comes back where it was, however often, until it has come to a further step', () => {
  let listing: Listing = { listedAt: null, beforeAt: null, listedCount: 0 };
  const change = (minutes: number, members: number) =>
    (listing = listingAfter(listing, members, new Date(minutes * MINUTE)));
  const listed = () => [Number(listing.listedAt) / MINUTE, listing.listedCount];
  change(0, 1);
  for (let minutes = 6; minutes <= 600; minutes += 6) {
    change(minutes, 0);
    change(minutes + 5, 1);
    expect(listed()).toEqual([0, 1]);
  }
  change(700, 2);
  expect(listed()).toEqual([700, 2]);
  // Coming to three again does not list it anew; five does.
  for (const members of [3, 0, 1, 2, 3, 4]) change(710, members);
  expect(listed()).toEqual([710, 3]);
  change(720, 0);
  change(730, 5);
  expect(listed()).toEqual([730, 5]);
});

/** A notification of this minute, about which nothing else is asked. */
function rowAt(minute: number): NotificationRow {
  return {
    ...{ userId: '1', bucket: 0, listedAt: new Date(minute * MINUTE), notificationId: '1', kind: 'LIKE' },
    ...{ subjectId: '0', rootId: null, actorCount: 1, actors: [], isSplit: true },
  };
}

const position = ({ listedAt, notificationId }: NotificationRow) => [listedAt, notificationId] as const;

/** A list whose parts are partitions with notifications of these minutes, newest first, and what was read of it. */
function listOf(parts: readonly (readonly (readonly number[])[])[], isHidden: (minute: number) => boolean) {
  const read: number[] = [];
  const list: List<NotificationRow> = {
    name: 'notifications',
    position,
    shown: ({ listedAt }) => !isHidden(Number(listedAt) / MINUTE),
    parts: () =>
      Promise.resolve(
        parts.map((partitions, index) => {
          const newest = Math.max(...partitions.flat()) + 1;
          return {
            start: { bucket: 1, key: index === 0 ? [] : [new Date(newest * MINUTE), '0'] },
            sources: partitions.map((minutes) =>
              sourceOf<NotificationRow>(({ after, limit }) => {
                read.push(index);
                const rows = minutes.map(rowAt);
                const left = after ? rows.filter((row) => compareKeys(position(row), after) < 0) : rows;
                return Promise.resolve(left.slice(0, limit));
              }, position),
            ),
          };
        }),
      ),
  };
  return { list, read };
}

const range = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, n) => from - n);
const seenAt = (minute: number) => ({ seen: [new Date(minute * MINUTE), '1'] });

test.each([
  ['nothing is hidden', () => false],
  ['what is hidden makes the badge read on', (minute: number) => minute % 3 > 0],
  ['the newest hundred are hidden', (minute: number) => minute > 1099],
])('the badge counts every partition of a split list up to the mark: %s', async (_, isHidden) => {
  const odd = range(1200, 900).filter((minute) => minute % 2 > 0);
  const even = range(1200, 900).filter((minute) => minute % 2 === 0);
  for (const mark of [899, 1000, 1100, 1190, 1200]) {
    // The second partition reaches the mark long before the first one does.
    for (const other of [even, even.slice(0, 3), [1199.5, 800], []]) {
      const { list } = listOf([[odd, other]], isHidden);
      const { rows } = await newestUntilSeen(list, seenAt(mark));
      const unseen = [...odd, ...other].filter((minute) => minute > mark && !isHidden(minute));
      expect([mark, other.length, rows.length]).toEqual([mark, other.length, Math.min(100, unseen.length)]);
    }
  }
});

test('the badge reads no partition that is older than the mark', async () => {
  const { list, read } = listOf([[range(300, 200)], [range(199, 100)], [range(99, 1)]], () => false);
  const { rows, end } = await newestUntilSeen(list, seenAt(250));
  expect([rows.length, end, read]).toEqual([50, null, [0]]);
});

test.each(['0', '1', '7', '735073339161620480', MAX_ID])(
  'that a thread is muted whose root has the id %s says nothing of the user with that id',
  (id) => {
    const targetId = threadTarget(id);
    expect(rootOfThread(targetId)).toBe(id);
    const { holds } = hiddenByUser.columns.targetId;
    expect([holds(targetId, id, 'Tweet'), holds(targetId, id, 'User')]).toEqual([true, false]);
    expect([holds(id, id, 'Tweet'), holds(id, id, 'User')]).toEqual([false, true]);
    expect(BigInt(targetId)).toBeLessThan(0n);
  },
);

test.each([
  [0, 0],
  [1, 1],
  [2, 2],
  [3, 3],
  [4, 3],
  [5, 5],
  [9, 5],
  [10, 10],
  [19, 10],
  [20, 20],
  [49, 20],
  [99, 50],
  [1000, 1000],
  [4999, 2000],
  [10_000, 10_000],
])('%i members have come to the step %i', (members, step) => {
  expect(stepOf(members)).toBe(step);
});

test('a group of 10,000 is listed 14 times at most, and never twice within five minutes', () => {
  const listings = (everyMs: number) => {
    const times: number[] = [];
    let listing: Listing = { listedAt: null, beforeAt: null, listedCount: 0 };
    for (let members = 1; members <= 10_000; members++) {
      const now = new Date(members * everyMs);
      const next = listingAfter(listing, members, now);
      if (next !== listing) times.push(Number(now));
      listing = next;
    }
    return times;
  };
  expect(listings(10 * MINUTE)).toHaveLength(14);
  const ofAnHour = listings(6 * MINUTE * 0.001);
  expect(ofAnHour.length).toBeLessThanOrEqual(13);
  for (const [index, time] of ofAnHour.slice(1).entries())
    expect(time - (ofAnHour[index] ?? 0)).toBeGreaterThanOrEqual(5 * MINUTE);
});
