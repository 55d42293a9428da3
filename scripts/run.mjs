// node scripts/run.mjs <name> [argument…]: prepares the checkout and runs one of the programs below.
import { join } from 'node:path';
import { runChild } from './child.mjs';
import { build, install, root, webPage } from './prepare.mjs';
import { script } from './stop.mjs';

/**
 * Requests create more short-lived objects than the default of 16 MB holds; without this, V8 promotes them to the old generation.
 * A server needs some 600 MB at most. With a limit below 2 GB, V8 lets garbage grow to twice what lives, not to four times that.
 */
const serving = ['--max-semi-space-size=64', '--max-old-space-size=1500'];
/**
 * An import needs some 500 MB: rows are collected so that those of a partition go out together, and in a small heap a third of the
 * time went into collecting garbage.
 */
const importing = ['--max-semi-space-size=64', '--max-old-space-size=600'];

const programs = {
  start: { path: 'dist/src/main.js', flags: serving },
  import: { path: 'dist/src/commands/import.js', flags: importing },
  export: { path: 'dist/src/commands/export.js', flags: importing },
  token: { path: 'dist/src/commands/token.js', flags: [] },
  recount: { path: 'dist/src/commands/recount.js', flags: importing },
  rebuild: { path: 'dist/src/commands/rebuild.js', flags: importing },
  verify: { path: 'dist/src/commands/verify.js', flags: importing },
  backup: { path: 'dist/src/commands/backup.js', flags: [] },
  restore: { path: 'dist/src/commands/restore.js', flags: [] },
  job: { path: 'dist/src/commands/job.js', flags: importing },
  moderate: { path: 'dist/src/commands/moderate.js', flags: [] },
  capacity: { path: 'dist/src/commands/capacity.js', flags: [] },
  mcp: { path: 'dist/src/commands/mcp.js', flags: [] },
  status: { path: 'dist/src/commands/status.js', flags: [] },
  bench: { path: 'dist/bench/main.js', flags: [] },
  crash: { path: 'dist/test/crash/main.js', flags: [] },
  exact: { path: 'dist/test/exact/main.js', flags: [] },
  ...Object.fromEntries(
    ['hotels', 'weather'].map((name) => [
      `example ${name}`,
      { path: `dist/examples/${name}/src/main.js`, flags: serving },
    ]),
  ),
  // The page's server starts the one of the API, by the same flags.
  'example web': { path: 'dist/examples/web/server/main.js', flags: serving, steps: [webPage] },
  schema: { path: 'dist/src/commands/print-schema.js', flags: [] },
  model: {
    path: 'dist/src/tools/model/main.js',
    flags: [],
    // The modules that define the models, the names of their exports, and the folders to write to.
    args: [
      ['dist/src/model.js', 'model', 'docs'],
      ['dist/examples/hotels/src/server.js', 'hotelServer', 'examples/hotels'],
      ['dist/examples/weather/src/server.js', 'weatherServer', 'examples/weather'],
    ].flat(),
  },
};

await script(async () => {
  let [name, ...args] = process.argv.slice(2);
  // The first argument is the name of the example.
  if (name === 'example') [name, ...args] = [`example ${args[0]}`, ...args.slice(1)];
  const program = programs[name];
  if (program === undefined) {
    process.stderr.write(
      `The program must be one of ${Object.keys(programs).join(', ')}, but got: ${name}\n`,
    );
    process.exitCode = 2;
    return;
  }
  install();
  build(...(program.steps ?? []));
  const env = { NODE_ENV: process.env.NODE_ENV || 'production' };
  await runChild(
    ['--enable-source-maps', ...program.flags, join(root, program.path), ...(program.args ?? []), ...args],
    env,
  );
});
