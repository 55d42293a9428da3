import { follow, person, startHarness, type Harness } from './harness';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([person('1', 'ada'), person('2', 'bo'), follow('2', '1')]);
});

const POST = 'mutation { createTweet(input: { content: "new" }) { tweet { id } } }';

/** The numbers of /metrics, by name with labels. */
async function metrics(): Promise<ReadonlyMap<string, number>> {
  const { status, body } = await server.get('/metrics');
  expect(status).toBe(200);
  const lines = body.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const [, name = '', value = ''] = /^(.+) (\S+)$/.exec(line) ?? [];
      return [name, Number(value)];
    }),
  );
}

test('metrics count requests and measure the work behind a tweet', async () => {
  const requests = 'murmuration_graphql_request_duration_seconds_count{status="200"}';
  const posts = 'murmuration_task_duration_seconds_count{kind="post"}';
  const before = await metrics();
  expect((await server.query(POST, {}, '1')).errors).toEqual([]);
  await server.writeContext.outbox.idle();
  const after = await metrics();
  expect(after.get(requests)).toBe((before.get(requests) ?? 0) + 1);
  expect(after.get(posts)).toBe((before.get(posts) ?? 0) + 1);
  expect(after.get('murmuration_tasks_under_way')).toBe(0);
  expect(after.get('murmuration_fanout_lag_seconds')).toBe(0);
  expect(after.get('process_resident_memory_bytes')).toBeGreaterThan(0);
});
