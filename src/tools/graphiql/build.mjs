// Bundles page/ into dist/graphiql, which graphiql.ts serves. Everything comes from node_modules, nothing from a CDN.
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { build } from 'esbuild';

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '../../..');
const page = join(here, 'page');
const output = join(root, 'dist/graphiql');

/** Modules that must be bundled once. Two copies fail only in the browser, or silently: instanceof is false, contexts are empty. */
const singletons = ['graphql', 'react', 'react-dom', '@graphiql/react', 'monaco-editor', 'monaco-graphql'];

/** @type {import('esbuild').BuildOptions} */
const shared = {
  absWorkingDir: root,
  outdir: join(output, 'assets'),
  publicPath: '/graphiql/assets',
  assetNames: '[name]-[hash]',
  bundle: true,
  minify: true,
  write: false,
  metafile: true,
  target: 'es2022',
  // This is for require(), too, so that graphiql-explorer gets the same graphql module as those that import it.
  mainFields: ['browser', 'module', 'main'],
  // GraphiQL imports these old names, which are CommonJS modules: as a chunk of its own, such a module has no named exports.
  alias: {
    'prettier/parser-babel': 'prettier/plugins/babel',
    'prettier/parser-graphql': 'prettier/plugins/graphql',
  },
  define: { 'process.env.NODE_ENV': '"production"' },
  loader: { '.ttf': 'file', '.svg': 'copy' },
  logLevel: 'warning',
};

/**
 * `import url from 'module?worker&url'`, as in Vite: the module is bundled as a worker, and the import is its URL.
 * @type {import('esbuild').Plugin}
 */
const workers = {
  name: 'workers',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /\?worker&url$/ }, async ({ path, kind, resolveDir, importer }) => {
      const found = await resolve(path.replace(/\?.*/, ''), { kind, resolveDir, importer });
      return { ...found, namespace: 'worker' };
    });
    onLoad({ filter: /.*/, namespace: 'worker' }, async ({ path }) => {
      const { outputFiles } = await build({ ...shared, entryPoints: [path], format: 'iife' });
      const [{ contents }] = outputFiles;
      const name = basename(path, '.js');
      return { contents: await asset(`${name}-${hash(contents)}.js`, contents), loader: 'text' };
    });
  },
};

/**
 * Fonts that are embedded in a stylesheet become files, which the browser loads when it needs one of their letters.
 * @type {import('esbuild').Plugin}
 */
const fonts = {
  name: 'fonts',
  setup({ onLoad, onResolve }) {
    const inline = /url\(["']?data:font\/(\w+);(?:charset=utf-8;)?base64,([A-Za-z0-9+/=]+)["']?\)/g;
    onResolve({ filter: /^\/graphiql\/assets\// }, ({ path }) => ({ path, external: true }));
    // GraphiQL's stylesheet contains that of Monaco.
    onLoad({ filter: /node_modules\/monaco-editor\/.*\.css$/ }, () => ({ contents: '', loader: 'empty' }));
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const css = await readFile(path, 'utf8');
      const written = [];
      const contents = css.replace(inline, (_, format, data) => {
        const font = Buffer.from(data, 'base64');
        const name = `font-${hash(font)}.${format}`;
        written.push(asset(name, font));
        return `url(${shared.publicPath}/${name})`;
      });
      await Promise.all(written);
      return { contents, loader: 'css' };
    });
  },
};

await rm(output, { recursive: true, force: true });
await mkdir(shared.outdir, { recursive: true });

const { outputFiles, metafile } = await build({
  ...shared,
  entryPoints: ['main.tsx', 'main.css', 'favicon.svg'].map((name) => join(page, name)),
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  format: 'esm',
  splitting: true,
  jsx: 'automatic',
  plugins: [workers, fonts],
});
assertSingle(Object.keys(metafile.inputs));
await Promise.all(outputFiles.map(({ path, contents }) => asset(basename(path), contents)));

// The page refers to its sources; the served page must refer to the bundled files.
let html = await readFile(join(page, 'index.html'), 'utf8');
for (const [file, { entryPoint }] of Object.entries(metafile.outputs)) {
  if (entryPoint === undefined || dirname(join(root, entryPoint)) !== page) continue;
  html = html.replace(`"${basename(entryPoint)}"`, `"${shared.publicPath}/${basename(file)}"`);
}
await writeFile(join(output, 'index.html'), html);

/** Writes a file, with its gzip beside it (fonts are compressed already), and returns its URL. */
async function asset(name, contents) {
  const path = join(shared.outdir, name);
  await writeFile(path, contents);
  if (!/\.woff2?$/.test(name)) await writeFile(`${path}.gz`, await promisify(gzip)(contents, { level: 9 }));
  return `${shared.publicPath}/${name}`;
}

function hash(contents) {
  return createHash('sha256').update(contents).digest('hex').slice(0, 8).toUpperCase();
}

/** Throws if one of the singletons is bundled twice. Two folders are two copies, and so are the .js and the .mjs of one folder. */
function assertSingle(inputs) {
  for (const name of singletons) {
    const copies = new Set();
    for (const path of inputs) {
      const [before, inside] = path.split(`node_modules/${name}/`);
      if (inside === undefined || before.startsWith('worker:') || !/\.m?js$/.test(inside)) continue;
      copies.add(`${before}node_modules/${name}/*${extname(inside)}`);
    }
    if (copies.size !== 1) {
      throw new Error(
        `The page must contain exactly one ${name}, but got: ${[...copies].join(', ') || 'none'}`,
      );
    }
  }
}
