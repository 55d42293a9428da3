import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Viewer } from '../../src/context';
import {
  HIDDEN,
  MAX_BLOCKED,
  MAX_BLOCKERS,
  MAX_MUTED,
  MAX_MUTED_WORDS,
} from '../../src/features/hidden/hidden.table';
import { mayShow } from '../../src/features/hidden/may-show';
import { joinPair } from '../../src/features/follow/relation';
import { groupId } from '../../src/features/notification/group-id';
import { NotificationKind } from '../../src/features/notification/notification-kind';
import { createSight } from '../../src/features/hidden/sight/sight';
import { createLoad } from '../../src/kit/reads/load';
import { putAll } from '../../src/kit/writes/row-writer';
import { MAX_GROUP_MEMBERS } from '../../src/write/notification/group-listing';
import { MAX_GROUP_ROWS } from '../../src/write/notification/group';
import { notifyOfAct } from '../../src/write/notification/notify-group';
import { blockersRow, storeBlock } from '../../src/write/hidden/hidden-rows';
import { follow, person, startHarness, tweet, type Harness } from '../support/harness';
import { isLong } from '../support/long';

/** The worst cases, with their numbers; the long form prints them. `LIKES` and `BLOCKERS` make it shorter. */
const LIKES = isLong ? Number(process.env['LIKES'] ?? 1_000_000) : 300;
const BLOCKERS = isLong ? Number(process.env['BLOCKERS'] ?? 1_000_000) : MAX_BLOCKERS + 1;
const HOUR_MS = 3_600_000;
const AT_ONCE = 400;
const PAGES = isLong ? 50 : 1;
const TIMEOUT = isLong ? 4 * HOUR_MS : undefined;

const [ADA, BLOCKED, HIDING, PLAIN, AUTHOR] = ['1', '2', '3', '4', '5'];
const AUTHORS = Array.from({ length: 20 }, (_, n) => String(100 + n));

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  const readers = [BLOCKED, HIDING, PLAIN];
  await server.store([
    ...[ADA, ...readers, AUTHOR, ...AUTHORS].map((id) => person(id, `user${id}`)),
    ...readers.flatMap((reader) => AUTHORS.map((author) => follow(reader, author))),
    tweet('999', ADA),
    ...Array.from({ length: 100 }, (_, n) =>
      tweet(String(5000 + n), AUTHORS[n % AUTHORS.length] ?? AUTHOR, n % 25, {
        content: `The rain in Spain stays mainly in the plain, says number ${n}.`,
      }),
    ),
  ]);
  await server.writeServices.outbox.idle();
});

const tell = (what: string, numbers: object) => {
  if (isLong) process.stderr.write(`${what}: ${JSON.stringify(numbers)}\n`);
};

/** Does something so many times, some of them at once. */
async function inParts(count: number, atOnce: number, work: (n: number) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < count; from += atOnce)
    await Promise.all(Array.from({ length: Math.min(atOnce, count - from) }, (_, n) => work(from + n)));
}

/** Passes all calls on, and counts them by name. */
function counting<T extends object>(target: T): { readonly passing: T; readonly calls: Map<string, number> } {
  const calls = new Map<string, number>();
  const passing = new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: readonly unknown[]): unknown => {
        calls.set(String(name), (calls.get(String(name)) ?? 0) + 1);
        return Reflect.apply(value, target, args);
      };
    },
  });
  return { passing, calls };
}

async function rowsOf(table: string, where: string, key: unknown): Promise<number> {
  const [row] = await server.database.run(`SELECT COUNT(*) AS n FROM ${table} WHERE ${where} = ?`, [key]);
  return Number(row?.['n']);
}

test(
  'likes of a tweet within an hour make groups of a bounded size, which are seldom listed',
  async () => {
    const notified = { userId: ADA, kind: NotificationKind.LIKE as const, subjectId: '999', rootId: null };
    const database = counting(server.database);
    const signals = counting(server.writeServices.signals);
    const services = { ...server.writeServices, database: database.passing, signals: signals.passing };
    const began = Date.now() - HOUR_MS;
    const started = performance.now();
    await inParts(LIKES, AT_ONCE, (n) => {
      const at = new Date(began + Math.floor((n / LIKES) * HOUR_MS));
      const act = { actorId: String(10_000_000 + n), present: true, since: at, changedAt: at, listedAt: at };
      return notifyOfAct(services, notified, act, { isRepeated: false });
    });
    const seconds = (performance.now() - started) / 1000;
    const rows: number[] = [];
    for (let number = 0; number * MAX_GROUP_MEMBERS < LIKES; number++)
      rows.push(await rowsOf('notification_groups', 'group_id', groupId(notified, number)));
    const listed = await server.query(
      '{ viewer { notifications(first: 100) { nodes { actorCount } } } }',
      {},
      ADA,
    );
    const { nodes } = (listed.data as { viewer: { notifications: { nodes: { actorCount: number }[] } } })
      .viewer.notifications;
    const listings = signals.calls.get('publish') ?? 0;
    tell('likes', {
      ...{ LIKES, seconds, groups: rows.length, maxRowsOfAGroup: Math.max(...rows), listings },
      ...{ transactions: database.calls.get('compareAndWrite'), calls: [...database.calls] },
    });
    expect(Math.max(...rows)).toBeLessThanOrEqual(MAX_GROUP_ROWS);
    expect(nodes.reduce((sum, { actorCount }) => sum + actorCount, 0)).toBe(LIKES);
    // A group is listed when it begins, and then every five minutes at most.
    expect(listings).toBeLessThanOrEqual(rows.length + 12);
  },
  TIMEOUT,
);

/** The statements of a page of a timeline, and how long pages take, in milliseconds: the median. */
async function pageOf(who: string) {
  const times: number[] = [];
  let names: string[] = [];
  for (let n = 0; n < PAGES; n++) {
    const started = performance.now();
    const { reads, errors } = await server.query(
      '{ viewer { timeline(first: 100) { nodes { content } } } }',
      {},
      who,
    );
    times.push(performance.now() - started);
    expect(errors).toEqual([]);
    names = reads.map(({ statement }) => statement).filter((name) => !/^(users|tweet_inv)/.test(name));
  }
  const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
  return { statements: names.sort(), median };
}

test(
  'whoever very many block has a partition of one row, and a page takes one statement more',
  async () => {
    const at = new Date();
    const filler = 'INSERT INTO relations (pair, high_blocks, high_blocks_at) VALUES (?, true, ?)';
    const blockers = (n: number) => String(50_000_000 + n);
    const started = performance.now();
    const blockOf = (n: number) => ({ blocker: blockers(n), blocked: BLOCKED, blocks: true, at });
    // Each block counts those before it, which takes most of the time of the short form.
    const counted = isLong ? 0 : MAX_BLOCKERS - 100;
    await putAll(
      server.writeServices.bulk(),
      Array.from({ length: counted }, (_, n) => blockersRow(blockOf(n))),
    );
    expect(await rowsOf('hidden_by_user', 'viewer_id', BLOCKED)).toBe(counted);
    await inParts(MAX_BLOCKERS + 1 - counted, 64, (n) => storeBlock(server.database, blockOf(counted + n)));
    if (isLong)
      await inParts(BLOCKERS, 512, (n) => server.database.run(filler, [joinPair(BLOCKED, blockers(n)), at]));
    const rows = await rowsOf('hidden_by_user', 'viewer_id', BLOCKED);
    const [plain, blocked] = [await pageOf(PLAIN), await pageOf(BLOCKED)];
    tell('blocked', { BLOCKERS, seconds: (performance.now() - started) / 1000, rows, plain, blocked });
    expect(rows).toBe(1);
    expect(blocked.statements).toEqual([...plain.statements, 'relations.get'].sort());
  },
  TIMEOUT,
);

/** The bytes of the heap that live. */
function livingBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

test(
  'somebody who hides as much as one may reads a page by one statement more',
  async () => {
    const filler =
      'INSERT INTO hidden_by_user (viewer_id, kind, target_id, hidden_at, words) VALUES (?, ?, ?, ?, ?)';
    const most = isLong ? 1 : 0.02;
    for (const [kind, limit] of [
      [HIDDEN.block, MAX_BLOCKED],
      [HIDDEN.mute, MAX_MUTED],
      [HIDDEN.word, MAX_MUTED_WORDS],
    ] as const)
      await inParts(limit * most, 200, (n) =>
        server.database.run(filler, [
          HIDING,
          kind,
          String(70_000_000 + n),
          new Date(),
          `hidden word number${n}`,
        ]),
      );
    const before = livingBytes();
    const load = createLoad(server.database);
    const viewer = { caller: { kind: 'person' }, userId: () => Promise.resolve(HIDING) } as unknown as Viewer;
    const sight = await createSight(load, viewer)();
    const heap = livingBytes() - before;
    const tweets = Array.from({ length: 100 }, (_, n) => ({
      ...{ content: `The rain in Spain number ${n} stays mainly in the plain, hidden from word to word.` },
      ...{ hashtags: ['rain'], inReplyToId: null, sharedTweetId: null, quotedTweetId: null },
    }));
    const decide = () => {
      const started = performance.now();
      for (const one of tweets)
        expect(mayShow(sight, { kind: 'tweet', authorId: AUTHOR, tweet: { ...one } }, 'TIMELINE')).toBeNull();
      return performance.now() - started;
    };
    const times = Array.from({ length: PAGES }, decide).sort((a, b) => a - b);
    const [plain, hiding] = [await pageOf(PLAIN), await pageOf(HIDING)];
    tell('hiding', {
      heap,
      firstPageMs: times.at(-1),
      medianPageMs: times[times.length >> 1],
      plain,
      hiding,
    });
    expect(hiding.statements).toEqual(plain.statements);
  },
  TIMEOUT,
);
