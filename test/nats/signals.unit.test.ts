import { setTimeout as sleep } from 'node:timers/promises';
import pino from 'pino';
import { connectNats, type Nats } from '../../src/kit/nats/connection';
import { natsSignals } from '../../src/kit/nats/signals';
import { describeWithNats, startNatsServer, type NatsServer } from './nats-server';

describeWithNats('Signals', () => {
  let server: NatsServer;
  const connections: Nats[] = [];
  const connect = async () => {
    const nats = connectNats([server.url], pino({ level: 'silent' }));
    connections.push(nats);
    while (nats.current() === null) await sleep(20);
    return nats;
  };
  beforeAll(async () => {
    server = await startNatsServer();
  });
  afterAll(async () => {
    await Promise.all(connections.map((nats) => nats.close()));
    await server.stop();
  });

  test('wake the listeners of their topics on all servers of one name, until these stop listening', async () => {
    const [one, other, stranger] = [await connect(), await connect(), await connect()];
    const publisher = natsSignals(one, 'same');
    const woken: string[] = [];
    publisher.on('a', () => woken.push('own'));
    const items: (string | undefined)[] = [];
    const stop = natsSignals(other, 'same').on('a', (item) => {
      woken.push('other');
      items.push(item);
    });
    natsSignals(stranger, 'different').on('a', () => woken.push('stranger'));
    await sleep(100);
    publisher.publish(['b', 'a'], 'item');
    while (woken.length < 2) await sleep(10);
    publisher.publish(['a']);
    while (woken.length < 4) await sleep(10);
    stop();
    publisher.publish(['a']);
    while (woken.length < 5) await sleep(10);
    await sleep(100);
    expect(woken.sort()).toEqual(['other', 'other', 'own', 'own', 'own']);
    expect(items).toEqual(['item', undefined]);
  });

  test('of 5,000 topics all arrive, whatever their letters; what is too long is left out', async () => {
    const signals = natsSignals(await connect(), 'many');
    const topics = Array.from(
      { length: 5000 },
      (_, n) => `topic ${n} ${['*', '>', 'a.b', '日本', '\n'][n % 5] ?? ''}`,
    );
    const woken = new Set<string>();
    for (const topic of topics) signals.on(topic, () => woken.add(topic));
    await sleep(100);
    signals.publish(['x'.repeat(100_000), ...topics]);
    while (woken.size < topics.length) await sleep(10);
  });

  test('reach only the servers on which somebody waits for their topic', async () => {
    const [one, other] = [await connect(), await connect()];
    const [publisher, listener] = [natsSignals(one, 'few'), natsSignals(other, 'few')];
    let woken = 0;
    const stops = [listener.on('awaited', () => woken++), listener.on('awaited', () => woken++)];
    await other.current()?.flush();
    const received = async () => {
      await one.current()?.flush();
      await other.current()?.flush();
      return other.current()?.stats().inMsgs;
    };
    const before = (await received()) ?? 0;
    publisher.publish([...Array.from({ length: 100 }, (_, n) => `nobody's ${n}`), 'awaited']);
    expect(await received()).toBe(before + 1);
    expect(woken).toBe(2);
    stops[0]?.();
    // The same one again, which must not count twice.
    stops[0]?.();
    publisher.publish(['awaited']);
    expect(await received()).toBe(before + 2);
    stops[1]?.();
    await other.current()?.flush();
    publisher.publish(['awaited']);
    expect(await received()).toBe(before + 2);
    expect(woken).toBe(3);
  });

  test('go on after NATS was away, and wake the own listeners meanwhile', async () => {
    const nats = await connect();
    const signals = natsSignals(nats, 'away');
    let woken = 0;
    signals.on('a', () => woken++);
    await server.kill();
    while (nats.current() !== null) await sleep(10);
    signals.publish(['a']);
    expect(woken).toBe(1);
    await server.start('lost');
    while (nats.current() === null) await sleep(10);
    while (woken < 2) {
      signals.publish(['a']);
      await sleep(20);
    }
  });
});
