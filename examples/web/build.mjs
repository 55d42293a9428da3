// Builds page/ into dist/web: its packages, the types of its documents, and the bundle. Nothing comes from a CDN.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { installBelow, root } from '../../scripts/prepare.mjs';
import { script } from '../../scripts/stop.mjs';

const folder = 'examples/web/page';

/** Runs a tool of the page's packages with its output on standard error. */
function run(tool, ...args) {
  const page = join(root, folder);
  execFileSync(process.execPath, [join(page, 'node_modules', tool), ...args], {
    cwd: page,
    stdio: ['ignore', 2, 2],
  });
}

await script(() => {
  installBelow(folder);
  run('@graphql-codegen/cli/esm/bin.js', '--config', 'codegen.ts', '--silent');
  run('typescript/bin/tsc', '-p', '.');
  run('vite/bin/vite.js', 'build', '--logLevel', 'warn');
});
