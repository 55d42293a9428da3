import { Gatherer } from './exact/known';
import { examine } from './exact/examine';
import { smallNetwork } from './exact/small';
import { startHarness, type Harness } from './harness';

let server: Harness;
const gatherer = new Gatherer();
beforeAll(async () => {
  server = await startHarness();
  const records = smallNetwork(2000);
  expect([...(await server.store(records))]).toEqual([]);
  for (const record of records) gatherer.add(record);
}, 120_000);
afterAll(() => server.close());

test('every field answers as looking at every tweet does', async () => {
  const ask = (source: string, variables: Readonly<Record<string, unknown>>) =>
    server.query(source, variables, null);
  const items: number[] = [];
  for await (const examined of examine(ask, gatherer.known(), { seed: 1, count: 40 })) {
    expect([examined.field, examined.differences.found.slice(0, 5)]).toEqual([examined.field, []]);
    items.push(examined.items);
  }
  expect(items).toHaveLength(8);
  for (const count of items) expect(count).toBeGreaterThan(39);
}, 300_000);
