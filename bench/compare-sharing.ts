import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../src/kit/cassandra/database';
import type { FollowRecord } from '../src/import/records/record';
import { createStore } from '../src/import/store/store';
import { readConfig } from '../src/config';
import { readPending, readWhole } from '../src/kit/work/pending';
import { startNatsServer, whyNoNats } from '../test/nats/nats-server';
import { answering, startChild, type Child } from './child';
import { postByOurs } from './compare-posts';
import { median, percentile, round, say, type Line, type Section } from './measure';
import { environment, headersOfUsers, serving, withDatabase, type Headers, type Stage } from './stage';

const FOLLOWERS = 14_060;
const AUTHOR = '1';
const KEYSPACE = 'sharing';
const SERVERS = [1, 2, 3];
const ROUNDS = 15;
const KILLS = 20;
const FIRST_PORT = 4821;
const RAW_PORT = 4831;
/** The fastest way of the raw driver in `comparePosts`. */
const RAW_WAY = '10/64';

/** Fan-out to 14,060 followers by one, two and three servers, through the database and through NATS, beside the raw driver. */
export async function compareSharing(stage: Stage): Promise<Section> {
  const lines = await withDatabase(stage.contactPoint, KEYSPACE, async (database) => {
    await storeFollowers(stage, database);
    const headers = (await headersOfUsers(database, [AUTHOR])).get(AUTHOR) ?? {};
    const nats = whyNoNats === null ? await startNatsServer() : null;
    if (nats === null) say(`Without NATS: ${whyNoNats}`);
    const ways = [null, ...(nats ? [nats.url] : [])];
    const done: Line[] = [await rawLine(stage)];
    try {
      for (const url of ways)
        for (const count of SERVERS) done.push(await fanOutLine(stage, database, headers, count, url));
      for (const url of ways) done.push(...(await takeoverLines(stage, database, headers, url)));
    } finally {
      await nats?.stop();
    }
    return done;
  });
  return {
    title: `Fan-out to ${FOLLOWERS} followers: milliseconds until all timelines have the tweet`,
    lines,
  };
}

async function storeFollowers(stage: Stage, database: Database): Promise<void> {
  const store = createStore(database, readConfig(environment(stage.contactPoint, KEYSPACE)));
  const createdAt = new Date('2026-01-01');
  await store.add([
    { kind: 'user', userId: AUTHOR, username: 'author', name: 'Author', onTwitter: true, createdAt },
  ]);
  for (let n = 0; n < FOLLOWERS; n += 2000) {
    const size = Math.min(2000, FOLLOWERS - n);
    const follows = Array.from({ length: size }, (_, m): FollowRecord => {
      const followedAt = new Date(Date.UTC(2026, 0, 1) + n + m);
      return {
        kind: 'follow',
        follower: { userId: String(1000 + n + m) },
        followee: { userId: AUTHOR },
        followedAt,
      };
    });
    await store.add(follows);
  }
  await store.settle();
}

async function rawLine({ contactPoint, brief }: Stage): Promise<Line> {
  const child = startChild(
    'bench/raw-acts.js',
    [contactPoint, KEYSPACE],
    { PORT: String(RAW_PORT) },
    serving,
  );
  try {
    await answering(`http://127.0.0.1:${RAW_PORT}/`);
    const taken: number[] = [];
    for (let roundNumber = 0; roundNumber < (brief ? 3 : ROUNDS); roundNumber++) {
      const response = await fetch(`http://127.0.0.1:${RAW_PORT}/post/${AUTHOR}/${RAW_WAY}`);
      taken.push(((await response.json()) as { whole: number }).whole);
    }
    return lineOf('raw driver', 1, taken);
  } finally {
    await child.stop();
  }
}

async function fanOutLine(
  stage: Stage,
  database: Database,
  headers: Headers,
  count: number,
  nats: string | null,
): Promise<Line> {
  const how = nats === null ? 'database' : 'NATS';
  say(`Posting with ${count} servers that share their work through ${how}`);
  const servers = await startServers(stage, count, nats);
  try {
    await postByOurs(database, { ours: FIRST_PORT, raw: RAW_PORT }, headers);
    const taken: number[] = [];
    for (let roundNumber = 0; roundNumber < (stage.brief ? 3 : ROUNDS); roundNumber++)
      taken.push((await postByOurs(database, { ours: FIRST_PORT, raw: RAW_PORT }, headers)).whole);
    return lineOf(how, count, taken);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** How long after a kill in the middle of a fan-out the other server begins what was left, and all is done. */
async function takeoverLines(
  stage: Stage,
  database: Database,
  headers: Headers,
  nats: string | null,
): Promise<Line[]> {
  const how = nats === null ? 'database' : 'NATS';
  say(`Killing a server in the middle of a fan-out, with ${how}`);
  const [begun, done]: [number[], number[]] = [[], []];
  for (let roundNumber = 0; roundNumber < (stage.brief ? 2 : KILLS); roundNumber++) {
    const servers = await startServers(stage, 2, nats);
    try {
      void postByOurs(database, { ours: FIRST_PORT, raw: RAW_PORT }, headers).catch(() => undefined);
      const chunks = async () => (await readPending(database)).filter(({ taskId }) => taskId.includes('.'));
      while ((await chunks()).length < 3) await sleep(2);
      await servers[0]?.kill();
      const killed = performance.now();
      const isTakenUp = nats === null ? await reclaimed(database) : redelivered;
      const isDone = async () => {
        const tasks = await readWhole(database, await readPending(database));
        return tasks.every(
          ({ checkpoint, kind }) => kind === 'post' && checkpoint?.includes('"done":["fan-out"]'),
        );
      };
      // The killed server may have had nothing in hand.
      while (!(await isTakenUp()) && !(await isDone())) await sleep(20);
      if (await isTakenUp()) begun.push(performance.now() - killed);
      while (!(await isDone())) await sleep(20);
      done.push(performance.now() - killed);
      while ((await readPending(database)).length > 0) await sleep(100);
    } finally {
      await Promise.all(servers.map((server) => server.stop()));
    }
  }
  return [
    ...(begun.length > 0 ? [lineOf(`${how}: from a kill until the rest is taken up`, 2, begun)] : []),
    lineOf(`${how}: from a kill until all is done`, 2, done),
  ];
}

/** Returns the function that tells whether another server has claimed a task that is claimed now. */
async function reclaimed(database: Database): Promise<() => Promise<boolean>> {
  const claims = async () =>
    new Map(
      (await database.read('SELECT task_id, instance FROM task_claims', [])).map((row) => [
        String(Reflect.get(row, 'task_id')),
        String(Reflect.get(row, 'instance')),
      ]),
    );
  const before = await claims();
  return async () => {
    const now = await claims();
    return [...before].some(([taskId, instance]) => now.get(taskId) !== instance);
  };
}

/** Whether the queue has given the surviving server a task of the one that was killed. */
async function redelivered(): Promise<boolean> {
  const text = await (await fetch(`http://127.0.0.1:${FIRST_PORT + 1}/metrics`)).text();
  return /^murmuration_tasks_redelivered_total\{.*\} [1-9]/m.test(text);
}

async function startServers({ contactPoint }: Stage, count: number, nats: string | null): Promise<Child[]> {
  const env = {
    ...environment(contactPoint, KEYSPACE),
    FANOUT_PUSH_LIMIT: '20000',
    ...(nats !== null && { NATS_URL: nats }),
  };
  const servers = Array.from({ length: count }, (_, n) =>
    startChild('src/main.js', [], { ...env, PORT: String(FIRST_PORT + n) }, serving),
  );
  for (let n = 0; n < count; n++) await answering(`http://127.0.0.1:${FIRST_PORT + n}/health/ready`);
  // Each has seen the others.
  await sleep(1500);
  return servers;
}

function lineOf(how: string, servers: number, taken: readonly number[]): Line {
  return {
    'shared through': how,
    servers,
    rounds: taken.length,
    p50: round(median([...taken]), 1),
    p95: round(percentile([...taken], 0.95), 1),
  };
}
