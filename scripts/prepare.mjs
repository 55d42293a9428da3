// Prepares a checkout: installs packages, compiles sources, bundles GraphiQL. A step is skipped if nothing that it depends
// on has changed, so that the usual start takes a fraction of a second.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeIsHere, nodePath, tellNode } from './node.mjs';
import { script, stop, tell } from './stop.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
/** Within this time, whoever has made a lock has written its id into it. */
const WRITTEN_MS = 5000;

/** Installs the packages of package-lock.json, among them a Node where that of this machine is too old. */
export function install() {
  if (!packagesAreFresh() || !nodeIsHere()) installPackages();
  tellNode();
}

function installPackages() {
  alone(() => {
    if (packagesAreFresh() && nodeIsHere()) return;
    if (lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink()) {
      // npm would empty the folder that the link points to.
      stop('node_modules must be a folder of this checkout, but is a link: remove the link and start again');
    }
    installIn(root);
  });
}

/** Installs the packages of a folder. */
function installIn(folder) {
  const options = ['--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  tell('Installing the packages (npm ci)');
  try {
    run('npm', ['ci', ...options], folder);
  } catch {
    // npm ci fails if a registry lacks the optional packages of other platforms, which are not needed.
    tell('npm ci failed; trying npm install');
    run('npm', ['install', '--no-save', ...options], folder);
    process.exitCode = 0;
  }
}

/** Installs the packages of a folder below the project that has its own, unless they are there. */
export function installBelow(folder) {
  if (!packagesAreFresh(folder)) installIn(join(root, folder));
}

/** The step that builds the page of `npm run example -- web`, which has packages of its own. */
export const webPage = {
  name: 'web',
  what: 'Building the page (npm ci, once, and Vite)',
  command: ['examples/web/build.mjs'],
  inputs: () => [
    'schema.graphql',
    'examples/web/build.mjs',
    ...[
      'package-lock.json',
      'package.json',
      'codegen.ts',
      'tsconfig.json',
      'vite.config.ts',
      'index.html',
    ].map((name) => `examples/web/page/${name}`),
    ...files('examples/web/page/src', 'examples/web/page/public').filter((path) => !path.includes('/gql/')),
  ],
};

/** Brings dist/ up to date with the sources, and what further steps make. */
export function build(...further) {
  const steps = [
    {
      name: 'server',
      what: 'Compiling',
      command: ['node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.build.json'],
      inputs: [
        'package-lock.json',
        'tsconfig.json',
        'tsconfig.build.json',
        ...files('src', 'bench', 'examples/hotels', 'examples/weather', 'examples/web/server'),
        // Programs import what tests are made with.
        ...files('test').filter((path) => !path.endsWith('.test.ts')),
      ].filter((path) => !/^src\/tools\/graphiql\/(page\/|build\.mjs)/.test(path)),
      after: removeOrphans,
    },
    {
      name: 'graphiql',
      what: 'Bundling GraphiQL',
      command: ['src/tools/graphiql/build.mjs'],
      inputs: ['package-lock.json', 'src/tools/graphiql/build.mjs', ...files('src/tools/graphiql/page')],
    },
    ...further.map((step) => ({ ...step, inputs: step.inputs() })),
  ].filter(({ command }) => existsSync(join(root, command[0])));
  if (steps.every(isFresh)) return;
  alone(() => {
    for (const step of steps.filter((step) => !isFresh(step))) {
      tell(step.what);
      rmSync(stampOf(step), { force: true });
      const stamp = hash(step.inputs);
      run(nodePath(), step.command);
      step.after?.();
      writeFileSync(stampOf(step), stamp);
    }
  });
}

/** npm writes its list of installed packages last, so the list is missing if npm was interrupted. */
function packagesAreFresh(folder = '.') {
  const wanted = packagesIn(join(folder, 'package-lock.json'));
  const installed = packagesIn(join(folder, 'node_modules/.package-lock.json'));
  if (wanted === undefined) throw new Error('package-lock.json must be there, but is not');
  if (installed === undefined) return false;
  for (const [path, { version, integrity, optional, devOptional }] of Object.entries(wanted)) {
    if (path === '') continue;
    const found = installed[path];
    // A package for another operating system is in the lock file but not installed.
    if (found === undefined && (optional || devOptional)) continue;
    if (found?.version !== version || found?.integrity !== integrity) return false;
  }
  return Object.keys(installed).every((path) => path in wanted);
}

function packagesIn(file) {
  const path = join(root, file);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).packages : undefined;
}

function isFresh(step) {
  const stamp = stampOf(step);
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === hash(step.inputs);
}

function stampOf({ name }) {
  return join(dist, `.${name}.stamp`);
}

/** Hashes contents, not times: checking out another commit and going back changes nothing. */
function hash(paths) {
  const sum = createHash('sha256');
  for (const path of paths)
    sum
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  return sum.digest('hex');
}

function files(...folders) {
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .sort();
}

/** Removes compiled files whose source no longer exists. */
function removeOrphans() {
  for (const path of files('dist/src', 'dist/bench', 'dist/examples', 'dist/test')) {
    const source = path.replace(/^dist\//, '').replace(/\.js(\.map)?$/, '.ts');
    if (/\.js(\.map)?$/.test(path) && !existsSync(join(root, source))) rmSync(join(root, path));
  }
}

/** Runs a program in a folder. Ends the script if it fails. */
export function run(command, args, folder = root) {
  const { status, error, signal } = spawnSync(command, args, {
    cwd: folder,
    // Standard output is for the program that runs afterwards.
    stdio: ['ignore', 2, 2],
  });
  if (status === 0) return;
  stop(
    `${command} ${args.join(' ')} must succeed, but ${error?.message ?? `ended with ${signal ?? status}`}`,
  );
}

/** Runs `work` under a lock: if a fresh clone is started twice at the same time, the second start waits for the first. */
function alone(work) {
  const lock = join(dist, '.prepare.lock');
  mkdirSync(dist, { recursive: true });
  for (let told = false; ; told = true) {
    try {
      writeFileSync(lock, `${process.pid}`, { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const { owner, isLeft } = ownerOf(lock);
    if (isLeft) rmSync(lock, { force: true });
    else if (!told)
      tell(
        `Waiting for ${owner === 0 ? 'a process' : `process ${owner}`}, which prepares this checkout. If there is none, remove ${lock}`,
      );
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  }
  try {
    work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Who has a lock, and whether that process is gone. One that was killed, or found the disk full, before it wrote its id left an empty file. */
function ownerOf(lock) {
  try {
    const owner = Number(readFileSync(lock, 'utf8'));
    // A container may have the process ids of the one before.
    const isLeft =
      owner > 0 ? owner === process.pid || !isAlive(owner) : Date.now() - statSync(lock).mtimeMs > WRITTEN_MS;
    return { owner, isLeft };
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return { owner: 0, isLeft: false };
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  // `web` also builds the page of the example.
  const further = process.argv[2] === 'web' ? [webPage] : [];
  await script(() => {
    install();
    build(...further);
  });
}
