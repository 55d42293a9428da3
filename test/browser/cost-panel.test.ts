import type { Browser, Locator } from 'playwright-core';
import { demoNetwork } from '../../src/demo/network';
import type { Cost, Read } from '../../src/tools/graphiql/page/cost/report';
import { startHarness, type Harness } from '../support/harness';
import { launchChromium, visit, type Visit } from './chromium';

const RUN = 'Execute query (Ctrl-Enter)';

interface Answer {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string; readonly extensions: { readonly code: string } }[];
  readonly extensions?: { readonly cost?: Cost; readonly explain?: readonly Read[] };
}

let server: Harness;
let address: string;
let browser: Browser;
const visits: { readonly visit: Visit; readonly origin: string }[] = [];
beforeAll(async () => {
  const limits = { LIMIT_READS: '10000', LIMIT_ROWS: '500000' };
  [server, browser] = await Promise.all([startHarness(limits), launchChromium()]);
  await server.store([...demoNetwork({ people: 60, tweets: 600 })]);
  address = await server.listen();
});
afterEach(async () => {
  for (const { visit, origin } of visits.splice(0)) {
    await visit.close();
    expect(visit.complaints).toEqual([]);
    expect([...visit.origins]).toEqual([origin]);
  }
});
afterAll(() => browser.close());

async function open(at = address): Promise<Visit> {
  const opened = await visit(browser, at);
  visits.push({ visit: opened, origin: at });
  return opened;
}

async function press(from: Visit, name: string): Promise<{ header: string | undefined; answer: Answer }> {
  const { headers, answer } = await from.press(name);
  return { header: headers['x-explain'], answer: answer as Answer };
}

function panelOf({ page }: Visit) {
  const panel = page.getByRole('region', { name: 'Cost' });
  return {
    panel,
    status: panel.getByRole('status'),
    rows: panel.getByRole('row'),
    row: (name: string) => panel.getByRole('row', { name: new RegExp(`^${name} `) }),
  };
}

/** A number as the panel writes it. */
function numeral(number: number | undefined): string {
  return (number ?? NaN).toLocaleString('en');
}

test('the first visit shows beside the query what it may read, without a click', async () => {
  const visit = await open();
  const { status, row } = panelOf(visit);
  await status.getByText('HomeTimeline reads at most').waitFor();
  expect(await status.innerText()).toContain('it was not run');
  expect(await row('timelines_by_user').count()).toBe(1);
});

test('the panel shows what the query of the first tab read, of what it may read, by field and table', async () => {
  const visit = await open();
  const { header, answer } = await press(visit, RUN);
  expect(header).toBe('true');
  const { cost, explain = [] } = answer.extensions ?? {};
  const { status, row } = panelOf(visit);
  await status.getByText('HomeTimeline read').waitFor();
  const told = await status.innerText();
  expect(told).toContain(`read ${numeral(cost?.reads)} of at most ${numeral(cost?.bound)} partitions`);
  expect(told).toContain(`${numeral(cost?.rows)} of at most ${numeral(cost?.boundOfRows)} rows`);
  expect(told).toContain(`The server allows ${numeral(cost?.limit)} partitions`);
  expect(cost?.reads).toBe(explain.reduce((sum, { partitions }) => sum + partitions, 0));
  const months = explain.filter(({ table }) => table === 'timelines_by_user');
  const most = cost?.fields
    .find(({ path }) => path === 'viewer.timeline')
    ?.tables.find(({ table }) => table === 'timelines_by_user');
  expect(months.length).toBeGreaterThan(0);
  expect(await row('timelines_by_user').getByRole('gridcell').nth(1).getAttribute('aria-label')).toBe(
    `${numeral(months.reduce((sum, { partitions }) => sum + partitions, 0))} of at most ${numeral(most?.reads)}`,
  );
  // Of the tweets; a shared tweet has one, too.
  const ofTweets = row('author').first();
  expect(await ofTweets.getAttribute('aria-level')).toBe('4');
  expect(await ofTweets.innerText()).toContain('users');
  const { panel } = panelOf(visit);
  const right = async (locator: Locator) => {
    const { x, width } = (await locator.boundingBox()) ?? { x: NaN, width: NaN };
    return x + width;
  };
  expect(await right(panel.getByRole('treegrid'))).toBeLessThanOrEqual(await right(panel));
  const screenshot = process.env['SCREENSHOT'];
  if (screenshot !== undefined) await visit.page.screenshot({ path: screenshot });
});

test('the response is shown as it would be without the panel', async () => {
  const visit = await open();
  await visit.write('{ viewer { username } }');
  const { answer } = await press(visit, RUN);
  expect(answer.extensions?.explain).toHaveLength(1);
  await panelOf(visit).row('viewer').waitFor();
  const shown = await visit.page.locator('.result-window .view-lines').innerText();
  expect(JSON.parse(shown.replaceAll('\u00a0', ' '))).toEqual({ data: { viewer: { username: 'ada' } } });
});

test('a dry run shows the bound by field and reads nothing', async () => {
  const visit = await open();
  const reads = jest.spyOn(server.database, 'read');
  const { header, answer } = await press(visit, 'Dry run');
  expect(header).toBe('only');
  expect(answer.data ?? null).toBeNull();
  const { cost } = answer.extensions ?? {};
  const { status, row } = panelOf(visit);
  await status.getByText('it was not run').waitFor();
  expect(await status.innerText()).toContain(`at most ${numeral(cost?.bound)} partitions`);
  expect(await row('timelines_by_user').count()).toBe(1);
  expect(reads.mock.calls.filter(([cql]) => cql.includes('timelines_by_user'))).toEqual([]);
  await press(visit, RUN);
  expect(reads.mock.calls.filter(([cql]) => cql.includes('timelines_by_user'))).not.toEqual([]);
  reads.mockRestore();
});

test.each([
  ['explains', {}],
  ['does not explain', { EXPLAIN: 'false' }],
])('a dry run of a mutation writes nothing at a server that %s', async (_, settings) => {
  const adjacentValue = await startHarness(settings, server);
  const visit = await open(await adjacentValue.listen());
  await visit.write(
    'mutation { createTweet(input: { content: "not meant", idempotencyKey: "dry" }) { tweet { id } } }',
  );
  await press(visit, 'Dry run');
  const { data } = await server.query('{ user(username: "ada") { tweets(first: 1) { nodes { content } } } }');
  expect(data).not.toEqual({ user: { tweets: { nodes: [{ content: 'not meant' }] } } });
});

test('a query that is too large is refused with the reason; a dry run shows what it would cost', async () => {
  const strict = await startHarness({ LIMIT_READS: '20' }, server);
  const visit = await open(await strict.listen());
  const { answer } = await press(visit, RUN);
  const [error] = answer.errors ?? [];
  expect(error?.extensions.code).toBe('QUERY_TOO_LARGE');
  const { status, row } = panelOf(visit);
  await status.getByText(error?.message ?? '').waitFor();
  await press(visit, 'Dry run');
  await status.getByText('The server allows 20 partitions').waitFor();
  expect(await status.innerText()).toContain('so it would refuse this');
  expect(await row('timelines_by_user').count()).toBe(1);
});

test('where the server does not explain, the panel says what to set', async () => {
  const silent = await startHarness({ EXPLAIN: 'false' }, server);
  const visit = await open(await silent.listen());
  await press(visit, RUN);
  await panelOf(visit).status.getByText('EXPLAIN=true').waitFor();
});

test('turned off, the panel asks for nothing, also after the next visit', async () => {
  const visit = await open();
  await visit.page.getByRole('switch', { name: 'Explain each query' }).uncheck();
  expect((await press(visit, RUN)).header).toBeUndefined();
  await visit.page.reload();
  expect(await visit.page.getByRole('switch', { name: 'Explain each query' }).isChecked()).toBe(false);
});

test('a header of the visitor goes before that of the panel, except in a dry run', async () => {
  const visit = await open();
  await visit.write('{ "X-Explain": "false" }', 'Headers');
  expect((await press(visit, RUN)).header).toBe('false');
  expect((await press(visit, 'Dry run')).header).toBe('only');
});

test('the tree is walked, folded and unfolded by keys', async () => {
  const visit = await open();
  await press(visit, RUN);
  const { row, rows } = panelOf(visit);
  await row('viewer').waitFor();
  const all = await rows.count();
  const { keyboard } = visit.page;
  await row('viewer').focus();
  await keyboard.press('End');
  await keyboard.press('Home');
  await keyboard.press('ArrowLeft');
  expect(await row('viewer').getAttribute('aria-expanded')).toBe('false');
  expect(await rows.count()).toBe(2);
  await keyboard.press('ArrowRight');
  await keyboard.press('ArrowRight');
  expect(await rows.count()).toBe(all);
  expect(await visit.page.locator('tr:focus').innerText()).toBe(await rows.nth(2).innerText());
});
