import type { FieldCost } from '../../src/kit/cost/query-cost';
import { authorization, follow, person, startHarness, tweet, type Harness } from '../support/harness';

/** So many authors are pulled by one reader: more than a page may merge without reserving more. */
const AUTHORS = 60;
/** Above one timeline of so many authors, below two. */
const LIMIT_READS = 400;
const READER = '1';
/** Above a timeline of so many authors, below two. */
const POINTS = 250;

interface Explained {
  readonly data: Record<string, { readonly timeline: { readonly nodes: unknown[] } | null }>;
  readonly errors?: readonly {
    readonly path: readonly string[];
    readonly extensions: { readonly code: string };
  }[];
  readonly extensions: {
    readonly cost: { readonly bound: number; readonly reads: number; readonly fields: readonly FieldCost[] };
  };
}

let server: Harness;
beforeAll(async () => {
  server = await startHarness({ FANOUT_PUSH_LIMIT: '1', LIMIT_READS: String(LIMIT_READS) });
  const authors = Array.from({ length: AUTHORS }, (_, n) => String(100 + n));
  await server.store([
    ...[READER, '2', '3'].map((id) => person(id, `reader${id}`)),
    ...authors.map((id) => person(id, `author${id}`)),
    ...authors.flatMap((id, n) => [follow(READER, id, n), follow('2', id, n)]),
    follow('3', '100', 1),
    ...authors.map((id, n) => tweet(String(1000 + n), id, 0)),
  ]);
  await server.writeServices.outbox.idle();
});

async function ask(query: string, explain = 'true'): Promise<Explained> {
  const headers = { 'content-type': 'application/json', 'x-explain': explain };
  const { body } = await server.inject({
    method: 'POST',
    url: '/graphql',
    headers: { ...headers, authorization: await authorization('service') },
    payload: JSON.stringify({ query }),
  });
  return JSON.parse(body) as Explained;
}

const timelineOf = (alias: string, id: string) =>
  `${alias}: user(username: "reader${id}") { timeline(first: 25) { nodes { id } } }`;

test('a timeline of few authors reads within the bound of its field, and one of many reserves what it reads more', async () => {
  const few = await ask(`{ ${timelineOf('few', '3')} }`);
  const many = await ask(`{ ${timelineOf('many', READER)} }`);
  const only = await ask(`{ ${timelineOf('many', READER)} }`, 'only');
  expect(few.data['few']?.timeline?.nodes).toHaveLength(1);
  expect(few.extensions.cost.bound).toBe(only.extensions.cost.bound);
  expect(many.data['many']?.timeline?.nodes).toHaveLength(25);
  const { bound, reads, fields } = many.extensions.cost;
  const reserved = fields.find(({ field }) => field === 'User.timeline')?.reserved?.reads ?? 0;
  expect(reserved).toBeGreaterThan(0);
  expect(bound).toBe(only.extensions.cost.bound + reserved);
  expect(reads).toBeGreaterThan(AUTHORS);
  expect(reads).toBeLessThanOrEqual(bound);
});

test('a timeline that may not reserve what it needs is refused before it reads any author; the others are answered', async () => {
  const query = `{ ${timelineOf('a', READER)} ${timelineOf('b', '2')} ${timelineOf('few', '3')} }`;
  expect((await ask(query, 'only')).extensions.cost.bound).toBeLessThan(LIMIT_READS);
  const { data, errors, extensions } = await ask(query);
  expect(errors).toMatchObject([{ extensions: { code: 'QUERY_TOO_LARGE' } }]);
  const [refused = ''] = errors?.[0]?.path ?? [];
  for (const alias of ['a', 'b', 'few']) {
    const nodes = data[alias]?.timeline?.nodes.length;
    expect([alias, nodes]).toEqual([alias, alias === refused ? undefined : alias === 'few' ? 1 : 25]);
  }
  const { bound, reads } = extensions.cost;
  expect(bound).toBeLessThanOrEqual(LIMIT_READS);
  expect(reads).toBeLessThan(2 * AUTHORS);
});

test('what a request has reserved is charged to its caller, and what it has not read is given back', async () => {
  const limited = await startHarness(
    { FANOUT_PUSH_LIMIT: '1', RATE_POINTS_PER_MINUTE: String(POINTS) },
    server,
  );
  const left = async (id: string) => {
    const { headers, body } = await limited.inject({
      method: 'POST',
      url: '/graphql',
      headers: { 'content-type': 'application/json', authorization: await authorization(id) },
      payload: JSON.stringify({ query: `{ ${timelineOf('own', id)} }` }),
    });
    return { left: Number(/"points";r=(\d+)/.exec(String(headers['ratelimit']))?.[1]), body };
  };
  const first = await left('2');
  expect(first.body).not.toContain('errors');
  expect(first.left).toBeLessThan(POINTS - AUTHORS);
  expect(first.left).toBeGreaterThan(POINTS - 2 * AUTHORS);
  // What is left is enough for the bound of the field, but not for twice as many reads as there are authors.
  const second = await left('2');
  expect(second.body).toContain('RATE_LIMITED');
  expect(second.left).toBeGreaterThan(first.left - 10);
  await limited.close();
});
