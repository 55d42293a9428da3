import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { authorization, follow, person, startHarness, tweet, type Harness } from './support/harness';
import { createSchema } from '../src/app';
import { encodeNodeId } from '../src/kit/graphql/global-id';
import { readDocumentTools } from '../src/tools/mcp/document-tools';
import { act, post } from './support/mutations';

const program = [join(__dirname, 'support/run.cjs'), 'src/commands/mcp.ts'];

let server: Harness;
let url: string;
let tweetId: string;
beforeAll(async () => {
  server = await startHarness();
  await server.store([
    person('1', 'ada'),
    person('2', 'bob'),
    person('3', 'cy'),
    follow('1', '2'),
    tweet('100', '2', 0, { content: 'hello world' }),
    tweet('101', '1', 0, { content: 'hello back', inReplyToId: '100' }),
    tweet('102', '3', 0, { content: 'Who flies #kites?', hashtags: ['kites'] }),
  ]);
  url = `${await server.listen()}/graphql`;
  const { data } = await server.query('{ user(username: "bob") { tweets { nodes { id } } } }');
  tweetId = (data as { user: { tweets: { nodes: { id: string }[] } } }).user.tweets.nodes[0]?.id ?? '';
});

const clients: Client[] = [];
/** An agent that reads as the first person. */
let reader: Client;
beforeAll(async () => {
  reader = await agent([], '1');
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.close()));
  await server.close();
});

/** An agent that has started the command. */
async function agent(args: readonly string[], who?: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const token = who === undefined ? {} : { MCP_TOKEN: (await authorization(who)).replace('Bearer ', '') };
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [...program, '--url', url, ...args],
      env: { PATH: process.env['PATH'] ?? '', ...token },
    }),
  );
  clients.push(client);
  return client;
}

/** What a tool answers. */
async function call(client: Client, name: string, variables: Record<string, unknown>) {
  const { content, isError } = await client.callTool({ name, arguments: variables });
  const [first] = content as { readonly text: string }[];
  return { isError, text: first?.text ?? '' };
}

test('every tool says what it is for and what it reads, and answers its own example', async () => {
  const { tools } = await reader.listTools();
  expect(tools.length).toBeGreaterThanOrEqual(15);
  for (const { name, description = '', annotations } of tools) {
    expect(annotations?.readOnlyHint).toBe(true);
    expect(description).toMatch(
      /^[A-Z].*\. Reads at most \d+ partitions with \d+ rows for the example\. For example: \{/,
    );
    const example = /For example: (\{.*\})$/.exec(description)?.[1] ?? '';
    const variables = JSON.parse(example) as Record<string, unknown>;
    expect([name, await call(reader, name, variables)]).toEqual([
      name,
      { isError: false, text: expect.stringMatching(/^\{"data":/) as unknown },
    ]);
  }
});

test('an agent finds a person, reads its timeline and follows a conversation', async () => {
  expect((await call(reader, 'FindPeople', { text: 'bo' })).text).toContain('"username":"bob"');
  expect((await call(reader, 'HomeTimeline', {})).text).toContain('hello world');
  expect((await call(reader, 'Conversation', { id: tweetId })).text).toContain('hello back');
});

test('an agent may give null for what it leaves out, and the defaults hold', async () => {
  const { tools } = await reader.listTools();
  for (const { name, description = '', inputSchema } of tools) {
    const example = JSON.parse(/For example: (\{.*\})$/.exec(description)?.[1] ?? '') as Record<
      string,
      unknown
    >;
    const given = Object.keys(inputSchema.properties ?? {}).filter(
      (variable) => variable in example || inputSchema.required?.includes(variable),
    );
    const nulls = Object.fromEntries(
      Object.keys(inputSchema.properties ?? {}).map((variable) => [variable, null]),
    );
    const needed = Object.fromEntries(given.map((variable) => [variable, example[variable]]));
    expect([name, await call(reader, name, { ...nulls, ...needed })]).toEqual([
      name,
      await call(reader, name, needed),
    ]);
  }
  // One that is left out by null alone, of a tool whose example gives it.
  expect((await call(reader, 'TweetsOfPerson', { username: 'bob', first: null })).isError).toBe(false);
});

test('null without a default means what the API says', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'murmuration-mcp-'));
  const text = `# Keeps a tweet.\n# Example: {"id": "${tweetId}"}\nmutation Keep($id: ID!, $folder: String) { bookmarkTweet(id: $id, folder: $folder) { tweet { id } } }`;
  writeFileSync(join(folder, 'Keep.graphql'), text);
  const client = await agent(['--write', '--documents', folder], '1');
  const folders = async () => {
    const { data } = await server.query('{ viewer { bookmarkFolders { name } } }', {}, '1');
    return (data as { viewer: { bookmarkFolders: { name: string }[] } }).viewer.bookmarkFolders;
  };
  await call(client, 'Keep', { id: tweetId, folder: 'later' });
  expect(await folders()).toEqual([{ name: 'later' }]);
  expect((await call(client, 'Keep', { id: tweetId, folder: null })).isError).toBe(false);
  expect(await folders()).toEqual([]);
});

test('an agent is told whose text a share has, wherever it finds one', async () => {
  await act(server, '2', 'shareTweet', { id: encodeNodeId('Tweet', '102') });
  await server.writeServices.outbox.idle();
  const shared = '"sharedTweet":{"id":"VHdlZXQ6MTAy","author":{"username":"cy","name":"The cy"}}';
  const day = new Date().toISOString().slice(0, 10);
  for (const [name, variables] of [
    ['HomeTimeline', {}],
    ['TweetsOfDay', { day }],
    ['TweetsOfHashtag', { name: 'kites' }],
    ['SearchTweets', { words: ['kites'], order: 'NEWEST' }],
  ] as const)
    expect([name, (await call(reader, name, variables)).text]).toEqual([
      name,
      expect.stringContaining(shared) as unknown,
    ]);
});

test('it changes nothing unless it may write, and then for the person of the token', async () => {
  const names = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);
  expect(await names(reader)).not.toContain('PostTweet');
  const refused = await reader
    .callTool({ name: 'PostTweet', arguments: { content: 'x', idempotencyKey: 'x' } })
    .catch((error: unknown) => ({ isError: error instanceof Error }));
  expect(refused.isError).toBe(true);
  const client = await agent(['--write'], '1');
  expect(await names(client)).toContain('PostTweet');
  const variables = { content: 'by an agent', idempotencyKey: 'one' };
  const first = await call(client, 'PostTweet', variables);
  expect(first).toEqual({ isError: false, text: expect.stringContaining('by an agent') as unknown });
  // Trying again posts nothing twice.
  expect(await call(client, 'PostTweet', variables)).toEqual(first);
  const { data } = await server.query('{ user(username: "ada") { tweets { nodes { content } } } }');
  expect(data).toEqual({
    user: { tweets: { nodes: [{ content: 'by an agent' }, { content: 'hello back' }] } },
  });
});

test('a server that answers only what it trusts is asked by the names of the documents', async () => {
  const trusting = await startHarness(
    { TRUSTED_DOCUMENTS: join(__dirname, '../examples/agents'), TRUSTED_ONLY: 'true' },
    server,
  );
  const address = `${await trusting.listen()}/graphql`;
  const byText = await agent(['--url', address]);
  expect(await call(byText, 'Person', { username: 'ada' })).toEqual({
    isError: true,
    text: expect.stringContaining('FORBIDDEN') as unknown,
  });
  const byId = await agent(['--url', address, '--by-id']);
  expect((await call(byId, 'Person', { username: 'ada' })).text).toContain('"username":"ada"');
});

test('errors tell the agent what was wrong, with their codes', async () => {
  const client = await agent(['--write']);
  const unknown = await call(client, 'LikeTweet', { id: tweetId });
  expect(unknown).toEqual({ isError: true, text: expect.stringContaining('UNAUTHENTICATED') as unknown });
  const wrong = await call(client, 'TweetsOfPerson', { username: 'ada', first: 100_000 });
  expect(wrong).toEqual({ isError: true, text: expect.stringContaining('BAD_USER_INPUT') as unknown });
  const missing = await client
    .callTool({ name: 'Person', arguments: {} })
    .catch((error: unknown) => ({ isError: error instanceof Error }));
  expect(missing.isError).toBe(true);
});

test('an answer that would fill a context is not passed on', async () => {
  for (let n = 0; n < 100; n++) await post(server, '2', { content: `${n} ${'long '.repeat(99)}` });
  const folder = mkdtempSync(join(tmpdir(), 'murmuration-mcp-'));
  const twice = ['a', 'b'].map(
    (alias) => `${alias}: user(username: "bob") { tweets(first: 100) { nodes { content } } }`,
  );
  writeFileSync(join(folder, 'Much.graphql'), `# Much.\n# Example: {}\nquery Much { ${twice.join(' ')} }\n`);
  expect(await call(await agent(['--documents', folder]), 'Much', {})).toEqual({
    isError: true,
    text: expect.stringMatching(
      /^The answer has \d+ characters, and at most 100000 are passed on/,
    ) as unknown,
  });
});

const schema = createSchema();
test.each([
  ['of another schema', '# It.\n# Example: {}\nquery A { nope }', 'A.graphql: Cannot query field "nope"'],
  ['without an example', '# It.\nquery A { viewer { id } }', 'A.graphql: It must begin with what it is for'],
  ['that cannot be parsed', '# It.\n# Example: {}\nquery A {', 'A.graphql: Syntax Error'],
  ['with an example that is no JSON', '# It.\n# Example: {a}\nquery A { viewer { id } }', 'A.graphql: '],
  [
    'that subscribes',
    '# It.\n# Example: {}\nsubscription A { tweetPosted(username: "a") { cursor } }',
    'A.graphql: It must be a query or a mutation',
  ],
  [
    'without a name',
    '# It.\n# Example: {}\n{ viewer { id } }',
    'A.graphql: It must have one operation, with the name of the file',
  ],
])('a document %s is refused, with its name', (_, text, message) => {
  const folder = mkdtempSync(join(tmpdir(), 'murmuration-mcp-'));
  writeFileSync(join(folder, 'A.graphql'), text);
  expect(() => readDocumentTools(folder, schema)).toThrow(message);
});

test('a document that cannot be a tool stops the start, and says which', () => {
  const folder = mkdtempSync(join(tmpdir(), 'murmuration-mcp-'));
  const text = '# It.\n# Example: {"n": "x"}\nquery A($n: Int) { trendingHashtags(first: $n) { count } }';
  writeFileSync(join(folder, 'A.graphql'), text);
  const { status, stderr } = spawnSync(process.execPath, [...program, '--documents', folder], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining('Variable "$n" got invalid value') as unknown,
  ]);
});
