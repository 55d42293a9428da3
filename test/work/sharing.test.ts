import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { growingTask, longTask, shortTask, type Chunk, type Handlers } from '../../src/kit/work/handler';
import { describeWithNats, startNatsServer, type NatsServer } from '../nats/nats-server';
import { SMALL, useWorkServers } from './servers';

const CHUNKS = 12;

const { servers, database, pending, settled, ...workServers } = useWorkServers();
const start = (count: number, nats: string | null, handlersOf: (instance: string) => Handlers) =>
  workServers.start(handlersOf, { count, nats });

/** Handlers of a task that splits in chunks, and what was run where. */
function splitting() {
  const ran: { readonly instance: string; readonly n: string }[] = [];
  const ends: number[] = [];
  const handlersOf = (instance: string): Handlers => ({
    whole: shortTask(SMALL, async (_, task) => {
      await task.split('parts', async function* (from): AsyncIterable<Chunk> {
        for (let n = from === null ? 0 : Number(from) + 1; n < CHUNKS; n++)
          yield { kind: 'part', payload: { n: String(n) }, end: n === CHUNKS - 1 ? null : String(n) };
        await Promise.resolve();
      });
      ends.push(ran.length);
    }),
    part: longTask(SMALL, async ({ n = '' }) => {
      // Long enough for the others to look, also on a busy machine.
      await sleep(400);
      ran.push({ instance, n });
    }),
  });
  return { ran, ends, handlersOf };
}

const numbers = Array.from({ length: CHUNKS }, (_, n) => String(n));

const NO_NATS = () => null;

/** How many tasks one person has in the test of turns. */
const FLOOD = 2000;

function turnTests(nats: () => string | null): void {
  test.each(nats === NO_NATS ? [1] : [1, 2])(
    'the tasks of one person hold up nobody else, of %d servers',
    async (count) => {
      const gate = new AbortController();
      const opened = once(gate.signal, 'abort');
      const ran: string[] = [];
      const [one] = await start(count, nats(), () => ({
        mine: shortTask({ rows: 1, person: ({ person = '' }) => person }, async ({ person = '', n = '' }) => {
          // Bob's begins and ends while the others wait for it.
          if (person === 'ada') await opened;
          else gate.abort();
          ran.push(`${person} ${n}`);
        }),
      }));
      await Promise.all(
        Array.from({ length: FLOOD }, async (_, n) => one?.enqueue('mine', { person: 'ada', n: String(n) })),
      );
      await one?.enqueue('mine', { person: 'bob' });
      await settled();
      expect(ran[0]).toBe('bob ');
      expect(new Set(ran).size).toBe(FLOOD + 1);
    },
  );

  test('a growing task goes on before another of its person begins, and lets those of others begin', async () => {
    const begun: string[] = [];
    const order: string[] = [];
    const open = new Map<string, number>();
    let most = 0;
    const person = ({ person: name = '' }) => name;
    const [one] = await start(1, nats(), () => ({
      growing: growingTask({ rows: 1, person }, async ({ person: name = '', n = '' }, task) => {
        begun.push(`${name} ${n}`);
        open.set(name, (open.get(name) ?? 0) + 1);
        most = Math.max(most, ...open.values());
        for (let part = 0; part < 3; part++) await task.saveCheckpoint(String(part));
        open.set(name, (open.get(name) ?? 0) - 1);
        order.push(name);
      }),
    }));
    for (let n = 0; n < 12; n++) await one?.enqueue('growing', { person: 'ada', n: String(n) });
    for (const name of ['bob', 'cleo']) await one?.enqueue('growing', { person: name });
    await settled();
    expect([new Set(begun).size, most]).toEqual([14, 1]);
    expect(order.lastIndexOf('cleo')).toBeLessThan(order.lastIndexOf('ada'));
  });
}

function sharingTests(nats: () => string | null): void {
  test('the chunks of a task are run by several servers, and the task ends when all are done', async () => {
    const { ran, ends, handlersOf } = splitting();
    const [one] = await start(3, nats(), handlersOf);
    await one?.enqueue('whole');
    await settled();
    // On a machine that is too busy, a server may take another one for dead and run a chunk again.
    const distinct = [...new Set(ran.map(({ n }) => n))];
    expect(distinct.sort((a, b) => Number(a) - Number(b))).toEqual(numbers);
    expect(new Set(ran.map(({ instance }) => instance)).size).toBeGreaterThan(1);
    expect(ends.every((count) => count >= CHUNKS)).toBe(true);
  });

  test('servers that have nothing to do take tasks that wait at a busy one', async () => {
    const taken = new Set<string>();
    const done = new Set<string>();
    const enough = new AbortController();
    const released = once(enough.signal, 'abort');
    const [busy] = await start(2, nats(), (instance) => ({
      slow: shortTask(SMALL, async ({ n = '' }) => {
        // The busy server is done with none before the other one has taken some.
        if (instance === servers[0]?.instance) await released;
        else if (taken.add(n).size > 10) enough.abort();
        done.add(n);
      }),
    }));
    await Promise.all(Array.from({ length: 100 }, async (_, n) => busy?.enqueue('slow', { n: String(n) })));
    await released;
    await settled();
    expect(done.size).toBe(100);
  });

  test('short tasks do not wait for long ones', async () => {
    const long = new AbortController();
    const released = once(long.signal, 'abort').then(() => undefined);
    let done = 0;
    const [one] = await start(1, nats(), () => ({
      long: longTask(SMALL, () => released),
      short: shortTask(SMALL, () => {
        done++;
        return Promise.resolve();
      }),
    }));
    for (let n = 0; n < 20; n++) await one?.enqueue('long');
    for (let n = 0; n < 20; n++) await one?.enqueue('short');
    while (done < 20) await sleep(20);
    expect((await pending()).length).toBeGreaterThanOrEqual(20);
    long.abort();
    await settled();
  });

  test('a task that fails is run again, and one that a stopping server leaves is run by another', async () => {
    const ran: string[] = [];
    const [one] = await start(2, nats(), (instance) => ({
      failing: shortTask(SMALL, () =>
        ran.push(instance) < 3 ? Promise.reject(new Error('not yet')) : Promise.resolve(),
      ),
    }));
    await one?.enqueue('failing');
    await settled();
    expect(ran).toHaveLength(3);
    let isFirst = true;
    await Promise.all(servers.splice(0).map((server) => server.stop()));
    const left: string[] = [];
    const [leaving] = await start(2, nats(), (instance) => ({
      stuck: shortTask(SMALL, async () => {
        if (isFirst) {
          isFirst = false;
          left.push(instance);
          await new Promise<void>((_, reject) => {
            servers
              .find((server) => server.instance === instance)
              ?.outbox.stopping.addEventListener('abort', () => {
                reject(new Error('stopped'));
              });
          });
        }
        left.push(instance);
      }),
    }));
    await leaving?.enqueue('stuck');
    while (left.length === 0) await sleep(20);
    const index = servers.findIndex(({ instance }) => instance === left[0]);
    await servers.splice(index, 1)[0]?.stop();
    await settled();
    expect(new Set(left).size).toBe(2);
  });
}

describe('Through the database', () => {
  sharingTests(NO_NATS);
  turnTests(NO_NATS);

  test('a task that a server with a fast clock has stored is removed when it is completed', async () => {
    let ran = 0;
    const [one] = await start(1, null, () => ({
      task: shortTask(SMALL, () => {
        ran++;
        return Promise.resolve();
      }),
    }));
    const prepared = await one?.outbox.prepareTask('task', {});
    if (!one || !prepared) throw new Error('there must be a server');
    await one.outbox.enqueue(prepared);
    const { window, shard, taskId } = prepared.task;
    await database().run(
      `UPDATE outbox USING TIMESTAMP ${(Date.now() + 30_000) * 1000} SET kind = 'task', payload = '{}'
       WHERE window = ${window} AND server = ${prepared.task.server} AND shard = ${shard} AND task_id = '${taskId}'`,
    );
    one.outbox.runInBackground(prepared.task);
    await settled();
    expect(ran).toBe(1);
    expect(await one.outbox.isStored(prepared.task)).toBe(false);
  });
});

describeWithNats('With a NATS that has no JetStream', () => {
  test('tasks are run all the same, and the queue is known to be away', async () => {
    const nats = await startNatsServer(false);
    const { ran, ends, handlersOf } = splitting();
    const [one] = await start(2, nats.url, handlersOf);
    await one?.enqueue('whole');
    await settled();
    expect(new Set(ran.map(({ n }) => n)).size).toBe(CHUNKS);
    expect(ends.length).toBeGreaterThan(0);
    expect(one?.outbox.isQueueUp()).toBe(false);
    await nats.stop();
  });
});

describeWithNats('Through NATS', () => {
  let nats: NatsServer;
  beforeAll(async () => {
    nats = await startNatsServer();
  });
  afterAll(() => nats.stop());
  sharingTests(() => nats.url);
  turnTests(() => nats.url);

  test.each(['kept', 'lost'] as const)(
    'NATS that is killed in the middle, and restarted with its data %s, loses no task',
    async (data) => {
      const { ran, ends, handlersOf } = splitting();
      const [one, two] = await start(2, nats.url, handlersOf);
      await one?.enqueue('whole');
      await two?.enqueue('whole');
      while (ran.length < 3) await sleep(20);
      await nats.kill();
      await one?.enqueue('whole');
      while (ran.length < CHUNKS) await sleep(20);
      await nats.start(data);
      await two?.enqueue('whole');
      await settled();
      for (const n of numbers) expect(ran.filter((part) => part.n === n).length).toBeGreaterThanOrEqual(4);
      expect(ends.length).toBeGreaterThanOrEqual(4);
      // The queue serves again. What two servers ran at once may still end.
      const before = ran.length;
      await one?.enqueue('whole');
      await settled();
      expect(ran.length).toBeGreaterThanOrEqual(before + CHUNKS);
    },
  );
});
