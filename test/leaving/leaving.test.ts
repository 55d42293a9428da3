import { tables } from '../../src/app';
import { findId } from '../../src/jobs/find-id';
import { isHeldIn } from '../../src/kit/base/ids';
import { startHarness, type Harness } from '../harness';
import { act, post, put, type Person } from '../mutations';

let server: Harness;
const people = new Map<string, Person>();
const idOf = (name: string) => ({ id: people.get(name)?.id ?? '' });
const who = (name: string) => people.get(name)?.userId ?? '';

beforeAll(async () => {
  server = await startHarness();
  for (const username of ['ada', 'bo'])
    people.set(username, await put(server, 'service', 'createUser', { username, name: `The ${username}` }));
}, 120_000);

/** Lets somebody do all that a person can do, with somebody else. */
async function live(name: string, other: string): Promise<void> {
  await act(server, who(name), 'followUser', idOf(other));
  await act(server, who(other), 'followUser', idOf(name));
  const location = { latitude: 48, longitude: 16, country: 'Austria' };
  const own = await post(server, who(name), { content: `By ${name} #sun`, location, language: 'en' });
  const others = await post(server, who(other), { content: `By ${other} #sun`, quotes: own.id });
  await post(server, who(name), { content: 'A reply', inReplyTo: others.id });
  await post(server, who(other), { content: 'A reply', inReplyTo: own.id });
  for (const [by, id] of [
    [name, others.id],
    [other, own.id],
  ] as const) {
    await act(server, who(by), 'likeTweet', { id });
    await act(server, who(by), 'shareTweet', { id });
    const input = { title: `By ${by}`, body: 'A text' };
    const { article } = (await act(server, who(by), 'publishArticle', { input })) as {
      article: { id: string };
    };
    for (const commenter of [name, other])
      await act(server, who(commenter), 'addComment', {
        input: { articleId: article.id, body: 'A comment' },
      });
  }
  const { id } = await post(server, who(name), { content: 'Another' });
  await act(server, who(name), 'deleteTweet', { id });
  await server.writeServices.outbox.idle();
}

/** The tables in which an id is found, by whether only its own partitions were read. */
async function tablesWith(id: string): Promise<string[]> {
  const having: string[] = [];
  for await (const { table, rows } of findId(server.database, tables, { type: 'User', id }))
    if (rows > 0) having.push(table);
  return having;
}

/** The columns that have an id and do not say so, of all rows of all tables. */
async function undeclaredWith(id: string): Promise<string[]> {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(id));
  const having = new Set<string>();
  for (const { name, columns, rows } of tables)
    for await (const row of server.database.stream(rows.all, []))
      for (const [property, { ids }] of Object.entries(columns)) {
        const value = row[property];
        const holds = Buffer.isBuffer(value) ? value.includes(bytes) : isHeldIn(value, id);
        if (holds && !ids?.includes('User')) having.add(`${name}.${property}`);
      }
  return [...having];
}

test('the id of a person is found in every table that has it, and no other column has it', async () => {
  await live('ada', 'bo');
  expect(await undeclaredWith(who('ada'))).toEqual([]);
  expect(await tablesWith(who('ada'))).toEqual(
    expect.arrayContaining(['users', 'relations', 'followers_by_user', 'timelines_by_user', 'tallies']),
  );
}, 60_000);
