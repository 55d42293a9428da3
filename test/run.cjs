// node run.cjs <program.ts> [argument…]: runs a program of the sources as it is.
const { readFileSync } = require('node:fs');
const { resolve } = require('node:path');
const { transformSync } = require('@swc/core');

require.extensions['.ts'] = (module, filename) => {
  const jsc = {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: false, useDefineForClassFields: false },
    target: 'es2022',
  };
  const { code } = transformSync(readFileSync(filename, 'utf8'), {
    filename,
    jsc,
    module: { type: 'commonjs' },
  });
  module._compile(code, filename);
};
const [program] = process.argv.splice(2, 1);
require(resolve(program));
