// node hold-engine.cjs <folder>: a server reduced to what this is about. It opens the engine, says where it is, and
// releases it on SIGTERM.
const { readFileSync } = require('node:fs');
const { transformSync } = require('@swc/core');

require.extensions['.ts'] = (module, filename) => {
  const jsc = { parser: { syntax: 'typescript' }, target: 'es2022' };
  const { code } = transformSync(readFileSync(filename, 'utf8'), {
    filename,
    jsc,
    module: { type: 'commonjs' },
  });
  module._compile(code, filename);
};
const { startEmbedded } = require('../../src/tools/embedded/embedded.ts');

startEmbedded({ dataDir: process.argv[2], heap: '400M', log: (line) => console.error(line) }).then(
  (engine) => {
    process.once('SIGTERM', () => engine.release().then(() => process.exit(0)));
    setInterval(() => undefined, 1_000);
    console.log(engine.contactPoints[0]);
  },
);
