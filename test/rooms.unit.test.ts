import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

test('the kit imports nothing of the application', () => {
  expect(imports.some(({ file, own }) => own && file.startsWith('kit/'))).toBe(true);
  const upward = imports.filter(
    ({ file, target, own }) => own && file.startsWith('kit/') && !target.startsWith('kit/'),
  );
  expect(upward).toEqual([]);
});

test('no program imports what tests are made with', () => {
  expect(offending((_, target) => target === 'kit/testing')).toEqual([]);
});

test('a table imports the kit and other tables only', () => {
  expect(
    offending((file, target) => file.endsWith('.table.ts') && !/^kit\/cassandra\/|\.table$/.test(target)),
  ).toEqual([]);
});

/** The kit's folders, each of which imports from those before it only. */
const KIT_FLOORS = [
  'base',
  'config',
  'input',
  'cassandra',
  'data',
  'work',
  'postings',
  'relay',
  'live',
  'nats',
  'cost',
  'lists',
  'search',
  'rate-limits',
  'graphql',
  'graphiql',
  'model',
  'http',
  'embedded',
  'server',
].map((folder) => `kit/${folder}/`);

/** A feature is a folder with a `feature.ts`. */
const features = readdirSync(src).filter((folder) => existsSync(join(src, folder, 'feature.ts')));

/** From the bottom to the top; a folder imports from its own floor and from lower ones. */
const FLOORS: readonly (readonly string[])[] = [
  ['kit'],
  ['context', 'config'],
  ['feature', ...features],
  ['write'],
  [
    'features',
    'write-features',
    'schema',
    'tables',
    'tasks',
    'model',
    'open',
    'import',
    'jobs',
    'demo',
    'token',
    'status',
  ],
  ['main', 'server', 'metrics', 'task-metrics', 'warnings', 'commands'],
];

function floorOf(file: string): number {
  const [first = ''] = file.replace(/\.ts$/, '').split('/');
  return FLOORS.findIndex((floor) => floor.includes(first));
}

const own = imports.filter((one) => one.own);

test('every file stands on a floor and imports nothing from a higher one', () => {
  expect(own.map(({ file }) => file).filter((file) => floorOf(file) < 0)).toEqual([]);
  expect(
    own.flatMap(({ file, target }) => (floorOf(target) > floorOf(file) ? `${file} → ${target}` : [])),
  ).toEqual([]);
});

test("each folder of the kit imports from the kit's lower folders only", () => {
  const kitFloorOf = (file: string) => KIT_FLOORS.findIndex((folder) => file.startsWith(folder));
  const inKit = own.filter(({ file }) => file.startsWith('kit/') && file.split('/').length > 2);
  expect(inKit.map(({ file }) => file).filter((file) => kitFloorOf(file) < 0)).toEqual([]);
  expect(
    inKit.flatMap(({ file, target }) =>
      kitFloorOf(target) < 0 || kitFloorOf(target) > kitFloorOf(file) ? `${file} → ${target}` : [],
    ),
  ).toEqual([]);
});

test('no folders import each other, nor go round in a circle', () => {
  const folders = new Map<string, Set<string>>();
  for (const { file, target } of own) {
    const [from, to] = [folderOf(file), folderOf(`${target}.ts`)];
    if (from !== to) folders.set(from, (folders.get(from) ?? new Set()).add(to));
  }
  const circles: string[] = [];
  const visited = new Set<string>();
  const visit = (folder: string, path: readonly string[]) => {
    if (path.includes(folder)) {
      circles.push([...path.slice(path.indexOf(folder)), folder].join(' → '));
      return;
    }
    if (visited.has(folder)) return;
    visited.add(folder);
    for (const next of folders.get(folder) ?? []) visit(next, [...path, folder]);
  };
  for (const folder of folders.keys()) visit(folder, []);
  expect(circles).toEqual([]);
});

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
