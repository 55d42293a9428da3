// node scripts/run.mjs <name> [argument…]: prepares the checkout and runs one of the programs below.
import { join } from 'node:path';
import { runChild } from './child.mjs';
import { build, install, root, webPage } from './prepare.mjs';
import { script, tell } from './stop.mjs';

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
  schema: { path: 'dist/src/commands/print-schema.js', flags: [], takesNothing: true },
  model: {
    path: 'dist/src/tools/model/main.js',
    flags: [],
    takesNothing: true,
    // The modules that define the models, the names of their exports, and the folders to write to.
    args: [
      ['dist/src/model.js', 'model', 'docs'],
      ['dist/examples/hotels/src/server.js', 'hotelServer', 'examples/hotels'],
      ['dist/examples/weather/src/server.js', 'weatherServer', 'examples/weather'],
    ].flat(),
  },
};

/** What `npm run example -- NAME` runs. */
const examples = {
  hotels: { path: 'dist/examples/hotels/src/main.js', flags: serving, takesNothing: true },
  weather: { path: 'dist/examples/weather/src/main.js', flags: serving },
  // The page's server starts the one of the API, by the same flags.
  web: { path: 'dist/examples/web/server/main.js', flags: serving, steps: [webPage], takesNothing: true },
};

await script(async () => {
  const given = process.argv.slice(2);
  const [kind, known, [name = 'nothing', ...args]] =
    given[0] === 'example' ? ['example', examples, given.slice(1)] : ['program', programs, given];
  const program = Object.hasOwn(known, name) ? known[name] : undefined;
  if (program === undefined) {
    refuse(`The ${kind} must be one of ${Object.keys(known).join(', ')}, but got: ${name}`);
    return;
  }
  if (program.takesNothing && args.length > 0) {
    refuse(`${name} takes no arguments, but got: ${args.join(' ')}`);
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

/** Says what is wrong with the arguments. The exit status is that of commands with wrong arguments. */
function refuse(why) {
  tell(why);
  process.exitCode = 2;
}
