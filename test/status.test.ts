import { follow, person, startHarness, type Harness } from './support/harness';
import { metricsOf } from './support/metrics';

let server: Harness;
beforeAll(async () => {
  server = await startHarness();
  await server.store([person('1', 'ada'), person('2', 'bo'), follow('2', '1')]);
});

const POST = 'mutation { createTweet(input: { content: "new" }) { tweet { id } } }';

const metrics = () => metricsOf(server);

test('metrics count requests with errors, once for each code, whoever has found them', async () => {
  const counted = async (work: () => Promise<unknown>): Promise<Readonly<Record<string, number>>> => {
    const before = await metrics();
    await work();
    const after = await metrics();
    const names = [...after.keys()].filter((name) => name.startsWith('murmuration_graphql_errors_total'));
    return Object.fromEntries(
      names.flatMap((name) => {
        const more = (after.get(name) ?? 0) - (before.get(name) ?? 0);
        return more === 0 ? [] : [[/code="(\w+)"/.exec(name)?.[1] ?? '', more] as const];
      }),
    );
  };
  expect(await counted(() => server.query('{ user(username: "ada") { name } }'))).toEqual({});
  const twice =
    '{ a: user(username: "ada") { tweets(first: 0) { nodes { id } } timeline(first: 0) { nodes { id } } } }';
  expect(await counted(() => server.query(twice))).toEqual({ BAD_USER_INPUT: 1 });
  expect(await counted(() => server.query(POST, {}, null))).toEqual({ UNAUTHENTICATED: 1 });
  expect(await counted(() => server.query(POST, {}, 'Bearer x'))).toEqual({ UNAUTHENTICATED: 1 });
  expect(await counted(() => server.post('{"query":1}'))).toEqual({ BAD_USER_INPUT: 1 });
  expect(await counted(() => server.post('{'))).toEqual({ BAD_USER_INPUT: 1 });
});

test('metrics count requests and measure the work after the answer to a post', async () => {
  const requests = 'murmuration_graphql_request_duration_seconds_count{status="200"}';
  const posts = 'murmuration_task_duration_seconds_count{kind="post"}';
  const before = await metrics();
  expect((await server.query(POST, {}, '1')).errors).toEqual([]);
  await server.writeServices.outbox.idle();
  const after = await metrics();
  expect(after.get(requests)).toBe((before.get(requests) ?? 0) + 1);
  expect(after.get(posts)).toBe((before.get(posts) ?? 0) + 1);
  expect(after.get('murmuration_tasks_under_way')).toBe(0);
  expect(after.get('murmuration_oldest_task_seconds')).toBe(0);
  expect(after.get('process_resident_memory_bytes')).toBeGreaterThan(0);
});
