import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hotelServer } from '../examples/hotels/src/server';
import { weatherServer } from '../examples/weather/src/server';
import type { Read } from '../src/kit/reads/load';
import { readMigrations } from '../src/kit/cassandra/migration-files';
import { readModel } from '../src/tools/model/model';
import { undeclaredReads } from '../src/tools/testing/testing';
import { MODEL_FILE, modelText } from '../src/tools/model/write';
import { tables, tablesByTitle } from '../src/app';
import { jobs } from '../src/jobs/all';
import { model } from '../src/model';
import { person, startHarness, tweet } from './support/harness';

const sources = [
  ['docs', model],
  ['examples/hotels', hotelServer],
  ['examples/weather', weatherServer],
] as const;

test.each(sources)('%s has the model as `npm run model` writes it', (folder, source) => {
  expect(readFileSync(join(__dirname, '..', folder, MODEL_FILE), 'utf8')).toBe(modelText(source));
});

test.each(sources)('each table of %s has a comment, each field a table and its cost', (_, source) => {
  const { features } = readModel(source);
  const tables = features.flatMap((feature) => feature.tables);
  expect(tables.filter(({ comment }) => comment === '')).toEqual([]);
  const fields = features.flatMap((feature) => feature.fields);
  expect(fields.length).toBeGreaterThan(5);
  expect(fields.filter(({ cost }) => !/\bcosts? /i.test(cost)).map(({ name }) => name)).toEqual([]);
  const names = tables.map(({ name }) => name);
  // What a cost names is what is read.
  const unread = fields.flatMap(({ name, cost, reads }) =>
    (name.startsWith('Mutation.') ? [] : [...cost.matchAll(/`(\w+)`/g)]).flatMap(([, table = '']) =>
      names.includes(table) && !reads.includes(table) ? [`${name}: ${table}`] : [],
    ),
  );
  expect(unread).toEqual([]);
  expect(fields.flatMap(({ reads }) => reads).filter((name) => !names.includes(name))).toEqual([]);
});

test('every table says whether it is truth, derived or transient, and what can be rebuilt says so', () => {
  const roles = model.roles ?? {};
  expect(Object.keys(roles).sort()).toEqual(tables.map(({ name }) => name).sort());
  for (const { name } of jobs)
    expect([name, roles[name]?.kind]).toEqual([name, expect.stringMatching(/derived$/)]);
});

test('each file of cql/ has tables of one feature', () => {
  for (const { name, statements } of readMigrations(model.cql)) {
    const created = statements.flatMap((text) => /^CREATE TABLE IF NOT EXISTS (\w+)/.exec(text)?.[1] ?? []);
    const titles = created.map((table) =>
      Object.keys(tablesByTitle).find((title) => tablesByTitle[title]?.some((one) => one.name === table)),
    );
    expect([name, new Set(titles).size <= 1]).toEqual([name, true]);
  }
});

test('what a field reads unsaid is told; every query of every test is held against this', () => {
  const read = (table: string, ...fields: readonly string[]): Read => ({
    statement: `${table}.get`,
    table,
    fields,
    keys: 1,
    partitions: 1,
    rows: 1,
    bytes: 0,
    milliseconds: 1,
    paths: [],
  });
  expect(undeclaredReads(model.createSchema(), [read('users', 'Tweet.author'), read('tweets')])).toEqual([]);
  expect(
    undeclaredReads(model.createSchema(), [
      read('users', 'Tweet.author', 'Tweet.content'),
      read('tweets', 'Tweet.author'),
      read('tweets', 'Gone.field'),
    ]),
  ).toEqual(['Tweet.content: users', 'Tweet.author: tweets', 'Gone.field: tweets']);
});

test('an answer that explains itself names the fields that asked, and of a page its list', async () => {
  const server = await startHarness();
  await server.store([person('1', 'ada'), tweet('11', '1'), tweet('12', '1')]);
  const ask = (page: string, wanted: string) =>
    server.query(`{ some: tweetsOfDay(day: "2026-01-01", first: 1${page}) { pageInfo { ${wanted} } } }`);
  const { data } = await ask('', 'endCursor');
  const { some } = data as { some: { pageInfo: { endCursor: string } } };
  const { reads } = await ask(`, after: "${some.pageInfo.endCursor}"`, 'hasPreviousPage');
  const asked = reads.map(({ paths, fields }) => [...paths, ...fields]);
  expect(asked).toEqual([
    ['some', 'Query.tweetsOfDay'],
    ['some.pageInfo.hasPreviousPage', 'Query.tweetsOfDay'],
  ]);
  await server.close();
});

test('the page shows each field and table of the model', async () => {
  const server = await startHarness();
  const { status, body } = await server.get('/model');
  expect(status).toBe(200);
  for (const { fields, tables } of readModel(model).features) {
    for (const { name } of fields) expect(body).toContain(`<b>${name}</b>`);
    for (const { cql } of tables) expect(body).toContain(cql.split('\n')[0]);
  }
  await server.close();
});
