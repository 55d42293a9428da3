// node scripts/pack.mjs: packs the kit as dist/murmuration-<version>.tgz, and prints the path. docs/decisions.md says why the kit alone.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { nodePath } from './node.mjs';
import { build, install, root, run } from './prepare.mjs';
import { script, stop, tell } from './stop.mjs';

const { name, version, license, engines, exports, dependencies, devDependencies } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);

/** Whoever uses the kit imports these, too, and there must be one copy of each. npm installs them with the kit. */
const peers = ['graphql', 'type-graphql'];

/** What is imported only for tests on a machine without Java: whoever has none there installs it. */
const optional = ['testcontainers', '@testcontainers/cassandra'];

/** What is copied as it is, and where to. The examples have the CQL of the kit's own tables. */
const copied = {
  LICENSE: 'LICENSE',
  'src/kit/README.md': 'README.md',
  'dist/graphiql': 'dist/graphiql',
  ...Object.fromEntries(
    ['hotels', 'weather']
      .flatMap((example) => ['cql', 'src'].map((part) => `examples/${example}/${part}`))
      .map((path) => [path, path]),
  ),
};

await script(() => {
  install();
  build();
  const folder = mkdtempSync(join(tmpdir(), 'murmuration-kit-'));
  try {
    tell('Compiling the kit');
    run(nodePath(), [
      'node_modules/typescript-native/bin/tsc',
      ...['-p', 'tsconfig.kit.json', '--outDir', join(folder, 'dist')],
    ]);
    const manifest = manifestFor(join(folder, 'dist'));
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    for (const [from, to] of Object.entries(copied))
      cpSync(join(root, from), join(folder, to), { recursive: true });
    run('npm', ['pack', '--silent', '--pack-destination', join(root, 'dist')], folder);
    console.log(join(root, 'dist', `${name}-${version}.tgz`));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** The package.json of the package whose compiled files are in a folder. */
function manifestFor(compiled) {
  const imported = importedIn(compiled, '.js').filter(
    (one) => one !== 'node' && !isBuiltin(one) && !optional.includes(one),
  );
  const missing = imported.filter((one) => !(one in dependencies));
  if (missing.length > 0) stop(`The kit imports what is no dependency: ${missing.join(', ')}`);
  // The types of packages that have none themselves, where declarations name them.
  const types = importedIn(compiled, '.d.ts')
    .map((one) => `@types/${one}`)
    .filter((one) => one in devDependencies);
  const versions = { ...devDependencies, ...dependencies };
  const versionsOf = (names) => Object.fromEntries(names.sort().map((one) => [one, versions[one]]));
  return {
    name,
    version,
    description: 'Builds GraphQL servers on Apache Cassandra: each field a table, each page a partition.',
    license,
    type: 'commonjs',
    engines,
    exports: Object.fromEntries(Object.entries(exports).map(([entry, paths]) => [entry, paths.default])),
    dependencies: versionsOf([...imported, ...types].filter((one) => !peers.includes(one))),
    peerDependencies: versionsOf(peers),
  };
}

/** The names of the packages that the files of a folder import, each once; all modules of Node are `node`. */
function importedIn(folder, ending) {
  const texts = readdirSync(folder, { recursive: true })
    .filter((path) => path.endsWith(ending))
    .map((path) => readFileSync(join(folder, path), 'utf8'));
  const imports = /\b(?:from |import |import\(|require\()["'](?!\.)((?:@[^/"']+\/)?[^/"':]+)/g;
  return [...new Set(texts.flatMap((text) => [...text.matchAll(imports)].map(([, found]) => found)))];
}
