// node run.cjs <program.ts> [argument…]: runs a program of the sources as it is. What was compiled before is kept: a start takes half the time.
const cluster = require('node:cluster');
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { enableCompileCache } = require('node:module');
const { join, resolve } = require('node:path');

const folder = join(__dirname, '../..', 'node_modules', '.cache', 'run');
mkdirSync(folder, { recursive: true });
enableCompileCache(folder);
const jsc = {
  parser: { syntax: 'typescript', decorators: true },
  transform: { legacyDecorator: true, decoratorMetadata: false, useDefineForClassFields: false },
  target: 'es2022',
};

function compile(source, filename) {
  const hash = createHash('sha256').update(filename).update(JSON.stringify(jsc)).update(source);
  const kept = join(folder, `${hash.digest('hex')}.js`);
  try {
    return readFileSync(kept, 'utf8');
  } catch {
    const { transformSync } = require('@swc/core');
    const { code } = transformSync(source, { filename, jsc, module: { type: 'commonjs' } });
    // Another process may read it meanwhile.
    writeFileSync(`${kept}.${process.pid}`, code);
    renameSync(`${kept}.${process.pid}`, kept);
    return code;
  }
}

require.extensions['.ts'] = (module, filename) => {
  module._compile(compile(readFileSync(filename, 'utf8'), filename), filename);
};
// A program that starts processes of its own, as `WORKERS` says, starts them by this file, too.
if (cluster.isPrimary) cluster.setupPrimary({ args: process.argv.slice(2) });
const [program] = process.argv.splice(2, 1);
require(resolve(program));
