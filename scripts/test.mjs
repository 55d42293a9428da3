// node scripts/test.mjs [argument of jest…]: installs the packages when needed and runs the tests.
import { join } from 'node:path';
import { runChild } from './child.mjs';
import { install, root, script } from './prepare.mjs';

await script(async () => {
  install();
  process.chdir(root);
  await runChild(process.execPath, [join(root, 'node_modules/jest/bin/jest.js'), ...process.argv.slice(2)]);
});
