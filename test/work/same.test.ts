import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { growingTask, longTask, shortTask, type Handlers } from '../../src/kit/work/handler';
import { describeWithNats, startNatsServer, type NatsServer } from '../nats/nats-server';
import { SMALL, useWorkServers, type WorkServer } from './servers';

const { servers, pending, settled, ...workServers } = useWorkServers();

async function start(nats: string | null, handlers: Handlers): Promise<WorkServer> {
  const [one] = await workServers.start(() => handlers, { nats });
  if (!one) throw new Error('there must be a server');
  return one;
}

/** Something that tasks copy: each run reads it when it begins, and stores what it has read when it may end. */
function copying() {
  const gate = new AbortController();
  const opened = once(gate.signal, 'abort');
  const state = { original: 0, copy: -1, runs: 0, settled: [] as boolean[] };
  const copy = growingTask(
    { rows: 1, person: ({ person = '' }) => person, sameAs: ({ person = '' }) => person },
    async (_, { isSettled }) => {
      const read = state.original;
      state.runs++;
      state.settled.push(isSettled);
      await opened;
      state.copy = read;
    },
  );
  return { state, gate, handlers: { copy } };
}

/** Something that tasks copy in steps, each with a checkpoint. The first of them fails once, in the middle. */
function copyingInSteps() {
  const copies = [0, 0, 0, 0];
  const state = { original: 1, hasFailed: false, blocks: 0, atOnce: 0, mostAtOnce: 0 };
  const person = ({ person: of = '' }) => of;
  const copy = growingTask({ rows: 1, person, sameAs: person }, async (_, task) => {
    state.mostAtOnce = Math.max(state.mostAtOnce, ++state.atOnce);
    try {
      for (let n = Number(task.checkpoint ?? 0); n < copies.length; n++) {
        if (n === 2 && !state.hasFailed) {
          state.hasFailed = true;
          throw new Error('interrupted');
        }
        copies[n] = state.original;
        await task.saveCheckpoint(String(n + 1));
      }
      await task.waitOutside(sleep(500));
    } finally {
      state.atOnce--;
    }
  });
  return { copies, state, handlers: { copy } };
}

function sameTests(nats: () => string | null): void {
  test('of 1,000 tasks that are the same, one is stored and run besides the one that runs', async () => {
    const { state, gate, handlers } = copying();
    const one = await start(nats(), handlers);
    for (let n = 1; n <= 1000; n++) {
      state.original = n;
      await one.outbox.leaveToTask('copy', { person: 'ada' });
      while (state.runs === 0) await sleep(10);
    }
    expect((await pending()).length).toBe(2);
    gate.abort();
    await settled();
    expect(state).toMatchObject({ runs: 2, copy: 1000 });
  });

  test('tasks that mutations stored before they began are one as well, and those of others are not', async () => {
    const { state, gate, handlers } = copying();
    const one = await start(nats(), handlers);
    const change = async (person: string) =>
      one.outbox.enqueueAndRun('copy', { person }, () => Promise.resolve(state.original++), {
        rest: () => handlers.copy,
      });
    await change('ada');
    while (state.runs === 0) await sleep(10);
    await Promise.all(Array.from({ length: 100 }, () => change('ada')));
    while ((await pending()).length > 2) await sleep(10);
    await change('bob');
    while (state.runs < 2) await sleep(10);
    gate.abort();
    await settled();
    expect(state).toMatchObject({ runs: 3, copy: 102, settled: [true, true, true] });
  });

  test('the last of tasks that are the same is not lost with the server that had them', async () => {
    const stuck = copying();
    const one = await start(nats(), stuck.handlers);
    await one.enqueue('copy', { person: 'ada' });
    while (stuck.state.runs === 0) await sleep(10);
    // As servers that have been cut off would leave them: each is stored.
    await Promise.all(Array.from({ length: 20 }, () => one.enqueue('copy', { person: 'ada' })));
    const stopped = servers.splice(0)[0]?.stop();
    stuck.gate.abort();
    await stopped;
    expect((await pending()).length).toBe(20);
    const { state, gate, handlers } = copying();
    gate.abort();
    state.original = 7;
    await start(nats(), handlers);
    await settled();
    expect(state).toMatchObject({ copy: 7 });
    expect(state.runs).toBeLessThanOrEqual(2);
    expect(state.settled).not.toContain(true);
  });

  test('a task that was interrupted after a checkpoint stands for no other one, and does not run beside one', async () => {
    const { copies, state, handlers } = copyingInSteps();
    const gate = new AbortController();
    const opened = once(gate.signal, 'abort');
    const block = growingTask({ rows: 1, person: ({ person = '' }) => person }, async () => {
      state.blocks++;
      await opened;
    });
    const one = await start(nats(), { ...handlers, block });
    await one.outbox.leaveToTask('copy', { person: 'ada' });
    while (!state.hasFailed) await sleep(5);
    for (const person of ['bob', 'cleo']) await one.outbox.leaveToTask('block', { person });
    while (state.blocks < 2) await sleep(10);
    // It waits for room again by now.
    await sleep(1000);
    state.original = 2;
    await one.outbox.leaveToTask('copy', { person: 'ada' });
    gate.abort();
    await settled();
    expect(copies).toEqual([2, 2, 2, 2]);
    expect(state.mostAtOnce).toBe(1);
  });

  test('short and long tasks, and growing ones of others, do not wait for growing tasks', async () => {
    const ran: string[] = [];
    const gate = new AbortController();
    const opened = once(gate.signal, 'abort');
    const one = await start(nats(), {
      grow: growingTask({ rows: 1, person: ({ person = '' }) => person }, async ({ person = '' }) => {
        ran.push(person);
        await opened;
      }),
      long: longTask(SMALL, () => Promise.resolve(void ran.push('long'))),
      short: shortTask(SMALL, () => Promise.resolve(void ran.push('short'))),
    });
    for (let n = 0; n < 25; n++) await one.enqueue('grow', { person: 'ada' });
    await one.enqueue('grow', { person: 'bob' });
    for (let n = 0; n < 5; n++) await Promise.all([one.enqueue('long'), one.enqueue('short')]);
    const ranOf = (name: string) => ran.filter((one) => one === name).length;
    while (ranOf('long') < 5 || ranOf('short') < 5) await sleep(20);
    if (nats() === null) expect(ranOf('ada')).toBe(1);
    while (nats() === null && ranOf('bob') === 0) await sleep(20);
    expect(ran.filter((name) => name === 'ada' || name === 'bob').length).toBeLessThanOrEqual(2);
    gate.abort();
    await settled();
    expect([ranOf('ada'), ranOf('bob')]).toEqual([25, 1]);
  });

  test('a growing task lets others go on at each checkpoint', async () => {
    const begun = new Set<string>();
    const one = await start(nats(), {
      grow: growingTask({ rows: 1, person: ({ person = '' }) => person }, async ({ person = '' }, task) => {
        begun.add(person);
        while (begun.size < 4) {
          await sleep(5);
          await task.saveCheckpoint('1');
        }
      }),
    });
    for (const person of ['ada', 'bob', 'cleo', 'dan']) await one.enqueue('grow', { person });
    await settled();
    expect(begun.size).toBe(4);
  });
}

describe('Through the database', () => {
  sameTests(() => null);
});

describeWithNats('Through NATS', () => {
  let nats: NatsServer;
  beforeAll(async () => {
    nats = await startNatsServer();
  });
  afterAll(() => nats.stop());
  sameTests(() => nats.url);
});
