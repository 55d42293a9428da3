import { createBulkWriter } from '../../src/kit/writes/bulk';
import { createGate } from '../../src/kit/reads/gate';
import { createLoad } from '../../src/kit/reads/load';
import { putAll } from '../../src/kit/writes/row-writer';
import { writeOf } from '../../src/kit/cassandra/write';
import { pulledByUser } from '../../src/features/follow/follow.table';
import { startHarness, type Harness } from '../support/harness';
import { startProxy, type Proxy } from '../support/proxy';

let proxy: Proxy;
let server: Harness;
beforeAll(async () => {
  proxy = await startProxy(process.env['CASSANDRA_CONTACT_POINTS'] ?? '');
  server = await startHarness({ CASSANDRA_CONTACT_POINTS: proxy.address });
  const { database } = server;
  // Each statement is prepared once, and the rows of two authors are there.
  await putAll(createBulkWriter(database)(), ['1', '2'].map(pulled));
  await ask();
});
afterAll(async () => {
  proxy.release();
  await server.close();
  await proxy.close();
});

function pulled(authorId: string) {
  return writeOf(pulledByUser, { userId: '7', authorId });
}

/** Asks in a request of its own who is pulled by user 7. */
async function ask(limit = 1000, load = createLoad(server.database)): Promise<string[]> {
  return (await load(pulledByUser.page, { userId: '7', limit })).map(({ authorId }) => authorId);
}

/** How often the table was read since there were `before` statements. */
function readsSince(before: number): number {
  return proxy.sent.slice(before).filter((text) => /^SELECT .* FROM pulled_by_user /.test(text)).length;
}

test('requests that ask for the same many rows share a read, and get what was stored before they asked', async () => {
  const before = proxy.sent.length;
  proxy.hold(/FROM pulled_by_user/);
  const first = Array.from({ length: 10 }, () => ask());
  await proxy.held(1);
  await putAll(createBulkWriter(server.database)(), [pulled('3')]);
  const second = Array.from({ length: 10 }, () => ask());
  // A request for few rows does not wait for them.
  const few = ask(999);
  await proxy.held(2);
  proxy.release();
  await few;
  const all = await Promise.all([...first, ...second]);
  expect(all.slice(10)).toEqual(Array.from({ length: 10 }, () => ['1', '2', '3']));
  expect(new Set(all.slice(0, 10).map((ids) => ids.length)).size).toBe(1);
  expect(readsSince(before)).toBe(3);
});

test('a shared read goes on when the request that began it is over', async () => {
  const gate = createGate({ maxInFlight: 10, maxPerRequest: 10 });
  const passes = [gate.openPass(60_000), gate.openPass(60_000)] as const;
  proxy.hold(/FROM pulled_by_user/);
  const [leaving, staying] = passes.map((pass) => ask(1000, createLoad(server.database, undefined, pass)));
  await proxy.held(1);
  passes[0].close();
  await expect(leaving).rejects.toMatchObject({ message: expect.stringContaining('disconnected') as string });
  const before = proxy.sent.length;
  proxy.release();
  expect(await staying).toEqual(['1', '2', '3']);
  expect(readsSince(before)).toBe(1);
  passes[1].close();
});

test('a shared read that is not answered is sent again before the deadline', async () => {
  const gate = createGate({ maxInFlight: 10, maxPerRequest: 10 });
  const pass = gate.openPass(5000);
  proxy.hold(/FROM pulled_by_user/);
  const asked = ask(1000, createLoad(server.database, undefined, pass));
  await proxy.held(2);
  proxy.release();
  expect(await asked).toEqual(['1', '2', '3']);
  pass.close();
});
