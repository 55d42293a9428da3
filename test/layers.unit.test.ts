import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const src = join(__dirname, '..', 'src');
const imports = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) =>
    [...readFileSync(join(src, file), 'utf8').matchAll(/(?:from|import\() ?'([^']+)'/g)].map(
      ([, target = '']) => ({
        file,
        own: target.startsWith('.'),
        target: target.startsWith('.') ? relative(src, join(src, file, '..', target)) : target,
      }),
    ),
  );

/** Whether a file is part of the kit or of the tools, which know nothing of tweets. */
function isGeneral(file: string): boolean {
  return /^(kit|tools)\//.test(file);
}

function offending(rule: (file: string, target: string) => boolean): string[] {
  return imports
    .filter(({ file, target }) => rule(file, target))
    .map(({ file, target }) => `${file} → ${target}`);
}

test('only kit/cassandra imports the driver', () => {
  expect(imports.some(({ target }) => target === 'cassandra-driver')).toBe(true);
  expect(
    offending((file, target) => target === 'cassandra-driver' && !file.startsWith('kit/cassandra/')),
  ).toEqual([]);
});

test('the kit and the tools import nothing of the application', () => {
  expect(imports.some(({ file, own }) => own && isGeneral(file))).toBe(true);
  const upward = imports.filter(({ file, target, own }) => own && isGeneral(file) && !isGeneral(target));
  expect(upward).toEqual([]);
});

test('no source imports from outside src, which is all that the image is built from', () => {
  expect(offending((_, target) => target.startsWith('..'))).toEqual([]);
});

test('no program imports what tests are made with', () => {
  expect(
    offending((file, target) => target.startsWith('tools/testing/') && !file.startsWith('tools/testing/')),
  ).toEqual([]);
});

/** What tells of a column whose ids it holds, where that is not plain. */
const OF_COLUMNS = /\/(group-id|notification-kind|record-user-ids)$/;

test('a table imports the kit, other tables and what tells whose ids a column holds', () => {
  const isAllowed = (target: string) =>
    /^kit\/(base|cassandra)\/|\.table$/.test(target) || OF_COLUMNS.test(target);
  expect(offending((file, target) => file.endsWith('.table.ts') && !isAllowed(target))).toEqual([]);
});

/** The folders of the kit, and the tools beside it. Each imports from those before it only. */
const KIT_LAYERS = [
  'kit/base',
  'tools/embedded',
  'tools/graphiql',
  'tools/mcp',
  'kit/config',
  'kit/input',
  'kit/cassandra',
  'kit/reads',
  'kit/cost',
  'tools/model',
  'kit/work',
  'kit/lists',
  'kit/writes',
  'kit/postings',
  'kit/rate-limits',
  'kit/graphql',
  'kit/subscriptions',
  'kit/nats',
  'kit/http',
  'kit/server',
  'tools/testing',
].map((folder) => `${folder}/`);

/** From the bottom to the top; a folder imports from its own layer and from lower ones. */
const LAYERS: readonly (readonly string[])[] = [
  ['kit', 'tools'],
  ['context', 'config'],
  ['features'],
  ['write'],
  ['app', 'open', 'import', 'jobs', 'demo', 'token', 'status', 'capacity', 'model'],
  ['main', 'server', 'metrics', 'statement-metrics', 'task-metrics', 'warnings', 'commands'],
];

function floorOf(file: string): number {
  const [first = ''] = file.replace(/\.ts$/, '').split('/');
  return LAYERS.findIndex((layer) => layer.includes(first));
}

const own = imports.filter((one) => one.own);

test('every file is in a layer and imports nothing from a higher one', () => {
  expect(own.map(({ file }) => file).filter((file) => floorOf(file) < 0)).toEqual([]);
  expect(
    own.flatMap(({ file, target }) => (floorOf(target) > floorOf(file) ? `${file} → ${target}` : [])),
  ).toEqual([]);
});

test("each folder of the kit and of the tools imports from the kit's lower folders only", () => {
  const kitFloorOf = (file: string) => KIT_LAYERS.findIndex((folder) => file.startsWith(folder));
  const inKit = own.filter(({ file }) => isGeneral(file) && file.split('/').length > 2);
  expect(inKit.map(({ file }) => file).filter((file) => kitFloorOf(file) < 0)).toEqual([]);
  expect(
    inKit.flatMap(({ file, target }) =>
      kitFloorOf(target) < 0 || kitFloorOf(target) > kitFloorOf(file) ? `${file} → ${target}` : [],
    ),
  ).toEqual([]);
});

test('no folders import each other, nor go round in a circle', () => {
  expect(circlesIn(own.map(({ file, target }) => [folderOf(file), folderOf(`${target}.ts`)]))).toEqual([]);
});

test('no files import each other, nor go round in a circle, be it for a type', () => {
  expect(own.length).toBeGreaterThan(1000);
  expect(circlesIn(own.map(({ file, target }) => [file, `${target}.ts`]))).toEqual([]);
});

test('a circle is found wherever it is', () => {
  const chain = ['a', 'b', 'c', 'd'].map((from, index, all): Edge => [from, all[index + 1] ?? 'e']);
  expect(circlesIn(chain)).toEqual([]);
  expect(circlesIn([...chain, ['a', 'd'], ['x', 'b']])).toEqual([]);
  expect(circlesIn([...chain, ['d', 'b']])).toEqual(['b → c → d → b']);
  expect(circlesIn([['x', 'c'], ...chain, ['e', 'c']])).toEqual(['c → d → e → c']);
});

/** Who imports whom. */
type Edge = readonly [from: string, to: string];

/** The circles of a graph, at least one of each group of nodes that lead to each other. */
function circlesIn(edges: readonly Edge[]): string[] {
  const targets = new Map<string, Set<string>>();
  for (const [from, to] of edges)
    if (from !== to) targets.set(from, (targets.get(from) ?? new Set()).add(to));
  const circles: string[] = [];
  const visited = new Set<string>();
  const visit = (node: string, path: readonly string[]) => {
    if (path.includes(node)) {
      circles.push([...path.slice(path.indexOf(node)), node].join(' → '));
      return;
    }
    if (visited.has(node)) return;
    visited.add(node);
    for (const next of targets.get(node) ?? []) visit(next, [...path, node]);
  };
  for (const node of targets.keys()) visit(node, []);
  return circles;
}

/** The folder of a file; a file without one is its own. */
function folderOf(file: string): string {
  return file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : file;
}

test('queries have nothing to write with', () => {
  expect(
    offending((file, target) => /^write\//.test(target) && floorOf(file) < floorOf('write/mutation-context')),
  ).toEqual([]);
});

test('no feature imports the resolver of another', () => {
  expect(offending((file, target) => target.endsWith('.resolver') && !file.endsWith('/feature.ts'))).toEqual(
    [],
  );
});
