// node scripts/tool.mjs <name> [argument…]: installs the packages when needed and runs one of the tools below.
import { join } from 'node:path';
import { runChild } from './child.mjs';
import { install, root } from './prepare.mjs';
import { script } from './stop.mjs';

const tools = {
  jest: 'jest/bin/jest.js',
  oxlint: 'oxlint/bin/oxlint',
  prettier: 'prettier/bin/prettier.cjs',
  tsc: 'typescript-native/bin/tsc',
};

await script(async () => {
  const [name, ...args] = process.argv.slice(2);
  install();
  process.chdir(root);
  await runChild([join(root, 'node_modules', tools[name]), ...args]);
});
