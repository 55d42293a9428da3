// node scripts/run.mjs <name> [argument…]: prepares the checkout and runs one of the programs below.
import { join } from 'node:path';
import { runChild } from './child.mjs';
import { build, install, root, script } from './prepare.mjs';

const programs = {
  start: 'dist/src/main.js',
  import: 'dist/src/import/main.js',
  schema: 'dist/src/print-schema.js',
};

/** A request leaves more young objects behind than the default of 16 MB holds: without this they are taken for old. */
const flags = ['--enable-source-maps', '--max-semi-space-size=64'];

await script(async () => {
  const [name, ...args] = process.argv.slice(2);
  const program = programs[name];
  if (program === undefined) {
    process.stderr.write(
      `The program must be one of ${Object.keys(programs).join(', ')}, but got: ${name}\n`,
    );
    process.exitCode = 2;
    return;
  }
  install();
  build();
  const env = { NODE_ENV: process.env.NODE_ENV || 'production' };
  await runChild(process.execPath, [...flags, join(root, program), ...args], env);
});
