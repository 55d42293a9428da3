import pino from 'pino';
import { readConfig } from '../../src/config';
import { openTrustedDocuments } from '../../src/kit/graphql/trusted-documents';
import { createSchema } from '../../src/app';
import { ada, byName, sha256, start, two, write } from './trusting-server';

test.each([
  [
    'a field that is not there',
    { 'bad.graphql': '{ user(username: "ada") { nme } }' },
    'bad.graphql has a document bad that cannot be answered: Cannot query field "nme" on type "User". Did you mean "name"?',
  ],
  [
    'a syntax error',
    { 'm.json': { abc: '{ user( }' } },
    'm.json has a document abc that cannot be answered: Syntax Error: Expected Name, found "}".',
  ],
  [
    'too many tokens',
    { 'm.json': { abc: `{ ${'id '.repeat(10_001)} }` } },
    'm.json has a document abc that cannot be answered: A query may have 10000 tokens, but this one has more.',
  ],
  [
    'too much depth',
    {
      'm.json': {
        abc: '{ user(username: "ada") { tweets { nodes { author { tweets { nodes { author { tweets { nodes { author { tweets { nodes { id } } } } } } } } } } } } }',
      },
    },
    'm.json has a document abc that cannot be answered: A query may be 12 deep, but this one is 13.',
  ],
  [
    'a value that is too long',
    { 'm.json': { abc: `{ user(username: "${'a'.repeat(600)}") { name } }` } },
    'm.json has a document abc that cannot be answered: user.username must be at most 500 characters (UTF-16 code units), but got 600.',
  ],
  [
    'a condition at the field of a subscription',
    { 'm.json': { abc: 'subscription { tweetPosted @skip { cursor } }' } },
    'm.json has a document abc that cannot be answered: The field of a subscription must not have @skip.',
  ],
  [
    'no operation',
    { 'part.graphql': 'fragment F on User { id }' },
    'part.graphql has a document part that cannot be answered: Fragment "F" is never used.',
  ],
  [
    'one id for two texts',
    { 'a.json': { one: ada }, 'b.json': { one: byName } },
    'b.json must give one the text that it has in FOLDER/a.json',
  ],
  [
    'a hash that is not the text’s',
    { 'a.json': { 'sha256:00': ada } },
    `a.json must give each document the hash of its text, but sha256:00 has sha256:${sha256(ada)}`,
  ],
  [
    'a manifest of another shape',
    { 'a.json': { one: { text: ada } } },
    'a.json must be a manifest of documents, but one: Invalid input: expected string, received object',
  ],
  [
    'a document that is not UTF-8',
    { 'latin1.graphql': Buffer.from('{ user(username: "\u00e9") { name } }', 'latin1') },
    'latin1.graphql must be readable, in UTF-8',
  ],
  [
    'a manifest that is no JSON',
    { 'a.json': '{"one": ' },
    'a.json must be JSON: Unexpected end of JSON input',
  ],
])('%s stops the start with a message that names the file', async (_, files, message) => {
  const path = write(files);
  await expect(start({ TRUSTED_DOCUMENTS: path })).rejects.toThrow(
    `TRUSTED_DOCUMENTS is not usable: ${path}/${message.replace('FOLDER', path)}`,
  );
});

test('each operation is checked at the start, and one that is refused there stops it', () => {
  const path = write({ 'two.graphql': two, 'ada.graphql': ada });
  const lines: string[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const config = readConfig({ TRUSTED_DOCUMENTS: path });
  const costs = new Map([
    ['One', 1],
    ['Two', 2],
    ['Ada', 3],
  ]);
  const open = () =>
    openTrustedDocuments(createSchema(), config, logger, (_, { name }) => {
      const cost = costs.get(name?.value ?? '');
      if (cost === undefined) throw new Error('It costs too much.');
      return cost;
    });
  expect(open().operations).toHaveLength(3);
  const logged = lines.map((line) => JSON.parse(line) as object);
  expect(logged).toMatchObject([
    { documents: 2, operations: 3, msg: 'trusted documents' },
    { operation: 'Ada', cost: 3 },
    { operation: 'One', cost: 1 },
    { operation: 'Two', cost: 2 },
  ]);
  costs.delete('Two');
  expect(open).toThrow(
    `TRUSTED_DOCUMENTS is not usable: ${path}/two.graphql has a document two that cannot be answered: It costs too much.`,
  );
});

test('a folder without documents, no folder, and TRUSTED_ONLY without documents stop the start', async () => {
  const empty = write({ 'README.md': '' });
  await expect(start({ TRUSTED_DOCUMENTS: empty })).rejects.toThrow(
    `${empty} must hold documents, but holds none`,
  );
  await expect(start({ TRUSTED_DOCUMENTS: `${empty}/none` })).rejects.toThrow(
    'must be a readable file or folder',
  );
  await expect(start({ TRUSTED_ONLY: 'true' })).rejects.toThrow(
    'TRUSTED_ONLY needs TRUSTED_DOCUMENTS, but that is not set.',
  );
});
