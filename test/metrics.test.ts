import { setTimeout as sleep } from 'node:timers/promises';
import { ada, sha256, write } from './trusted-documents/trusting-server';
import { startProxy } from './support/proxy';
import { metricsOf, type Numbers } from './support/metrics';
import { follow, person, startHarness, tweet, type Harness } from './support/harness';

let server: Harness;
beforeAll(async () => {
  server = await startHarness({
    CACHE_SECONDS: '5',
    READS_IN_FLIGHT: '1',
    TRUSTED_DOCUMENTS: write({ 'ada.graphql': ada }),
  });
  await server.store([
    person('1', 'ada'),
    person('2', 'bo'),
    follow('2', '1'),
    ...['100', '101', '102'].map((id) => tweet(id, '1')),
  ]);
});

// Some of its requests read two partitions.
const TWEETS =
  '{ ada: user(username: "ada") { tweets(first: 2) { nodes { content author { name } } } } bo: user(username: "bo") { tweets(first: 2) { nodes { content } } } }';

/** By how much each number grows while some work is done; those that stay are left out. */
async function growth(work: () => Promise<unknown>, of = server): Promise<Numbers> {
  const before = await metricsOf(of);
  await work();
  const after = await metricsOf(of);
  return new Map(
    [...after].flatMap(([name, value]) => {
      const more = value - (before.get(name) ?? 0);
      return more === 0 ? [] : [[name, more] as const];
    }),
  );
}

test('metrics count for each statement the requests, partitions, rows and bytes that an explanation shows', async () => {
  const shown = new Map<string, number>();
  const grown = await growth(async () => {
    const { reads } = await server.query(TWEETS);
    for (const { statement, partitions, rows, bytes, cached } of reads) {
      if (cached) continue;
      const add = (name: string, more: number) => {
        const label = `murmuration_statement_${name}{statement="${statement}"}`;
        if (more > 0) shown.set(label, (shown.get(label) ?? 0) + more);
      };
      add('duration_seconds_count', 1);
      add('partitions_total', partitions);
      add('rows_total', rows);
      add('bytes_total', bytes);
    }
  });
  expect(shown.get('murmuration_statement_partitions_total{statement="tweets_by_author.page"}')).toBe(2);
  for (const [name, more] of shown) expect([name, grown.get(name)]).toEqual([name, more]);
  const durations = 'murmuration_statement_duration_seconds';
  const page = 'statement="tweets_by_author.page"';
  expect(grown.get(`${durations}_bucket{le="+Inf",${page}}`)).toBe(1);
  expect(grown.get(`${durations}_sum{${page}}`)).toBeGreaterThan(0);
});

test('metrics count lightweight transactions and those that others came before', async () => {
  const claim = () =>
    server.database.compareAndWrite([
      {
        query: 'INSERT INTO users_by_username (username_folded, user_id) VALUES (?, ?) IF NOT EXISTS',
        params: ['cy', '3'],
      },
    ]);
  const label = '{statement="users_by_username.transaction"}';
  const grown = await growth(async () => {
    expect([await claim(), await claim()]).toEqual([true, false]);
  });
  expect(grown.get(`murmuration_statement_duration_seconds_count${label}`)).toBe(2);
  expect(grown.get(`murmuration_statement_conflicts_total${label}`)).toBe(1);
});

test('metrics count a statement that Cassandra refuses as a failure', async () => {
  const grown = await growth(() =>
    expect(server.database.read('SELECT nothing FROM users WHERE user_id = ?', ['1'])).rejects.toThrow(),
  );
  expect(grown.get('murmuration_statement_failures_total{statement="users.read"}')).toBe(1);
});

test('a request whose client left before it was answered is counted and logged with the status 499', async () => {
  const proxy = await startProxy(process.env['CASSANDRA_CONTACT_POINTS'] ?? '');
  const behind = await startHarness({ CASSANDRA_CONTACT_POINTS: proxy.address }, server);
  const address = await behind.listen();
  proxy.hold('slowpoke');
  const leaving = new AbortController();
  const grown = await growth(async () => {
    const asked = fetch(`${address}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ user(username: "slowpoke") { name } }' }),
      signal: leaving.signal,
    });
    await proxy.held(1);
    leaving.abort();
    await expect(asked).rejects.toThrow();
    await sleep(300);
  }, behind);
  proxy.release();
  expect(grown.get('murmuration_graphql_request_duration_seconds_count{status="499"}')).toBe(1);
  await behind.close();
  await proxy.close();
});

test('metrics count a node that does not answer in time, and that it is asked again', async () => {
  const proxy = await startProxy(process.env['CASSANDRA_CONTACT_POINTS'] ?? '');
  const behind = await startHarness(
    { CASSANDRA_CONTACT_POINTS: proxy.address, LIMIT_MILLISECONDS: '4000' },
    server,
  );
  proxy.hold('slowpoke');
  const grown = await growth(() => behind.query('{ user(username: "slowpoke") { name } }'), behind);
  proxy.release();
  for (const name of ['timeouts', 'retries'])
    expect([...grown].filter(([key]) => key.startsWith(`murmuration_statement_${name}_total`))).toEqual([
      [expect.stringContaining('by_username.get"}'), expect.any(Number)],
    ]);
  await behind.close();
  await proxy.close();
});

test('metrics are shown while Cassandra does not say which tasks wait, but not these', async () => {
  const proxy = await startProxy(process.env['CASSANDRA_CONTACT_POINTS'] ?? '');
  const behind = await startHarness({ CASSANDRA_CONTACT_POINTS: proxy.address }, server);
  proxy.hold(/outbox_windows/);
  const shown = [...(await metricsOf(behind)).keys()];
  expect(proxy.heldNow()).toBeGreaterThan(0);
  // They did not wait until the driver gave up.
  expect(new Map(behind.database.statements.all()).get('outbox_windows.page')?.retries).toBe(0);
  proxy.release();
  expect(shown).toContain('murmuration_subscriptions_open');
  expect(shown.filter((name) => /_tasks_waiting|_task_oldest/.test(name))).toEqual([]);
  await behind.close();
  await proxy.close();
});

test('metrics name an operation only if its document is trusted, whatever others call theirs', async () => {
  const send = (payload: object) => server.post(JSON.stringify(payload), null);
  const grown = await growth(async () => {
    await send({ documentId: `sha256:${sha256(ada)}` });
    await send({ query: 'query Ada { user(username: "bo") { name } }' });
    await send({ query: 'query Ada { nothing }' });
  });
  const seconds = 'murmuration_operation_duration_seconds_count';
  expect(grown.get(`${seconds}{operation="Ada"}`)).toBe(1);
  expect(grown.get(`${seconds}{operation="other"}`)).toBe(2);
  expect(grown.get('murmuration_operation_errors_total{operation="other",code="BAD_USER_INPUT"}')).toBe(1);
});

// Lists that are not kept, so all are read, one of them at once.
const LISTS = 'followers(first: 1) { nodes { name } } following(first: 1) { nodes { name } }';

test('metrics count reads that wait at the gate, documents that wait, and what is kept', async () => {
  const grown = await growth(() =>
    Promise.all(
      ['a', 'b', 'c'].map((alias) => server.query(`{ ${alias}: user(username: "ada") { ${LISTS} } }`)),
    ),
  );
  for (const queue of ['gate', 'prepare']) {
    expect(grown.get(`murmuration_waits_total{queue="${queue}"}`)).toBeGreaterThan(0);
    expect(grown.get(`murmuration_wait_seconds_total{queue="${queue}"}`)).toBeGreaterThan(0);
  }
  const all = await metricsOf(server);
  for (const cache of ['rows', 'documents', 'operations']) {
    expect(all.get(`murmuration_cache_entries{cache="${cache}"}`)).toBeGreaterThan(0);
    expect(all.get(`murmuration_cache_bytes{cache="${cache}"}`)).toBeGreaterThan(0);
  }
});
