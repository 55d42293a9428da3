const base = require('./jest.base.cjs');

/** Tests that take minutes and have no short form: `npm run test:long` runs them. */
const long = '\\.long\\.test\\.ts$';
const unit = '\\.unit\\.test\\.ts$';

/** Tests that need no Cassandra are named `*.unit.test.ts`: without others, a run of them takes seconds. @type {import('jest').Config} */
module.exports = {
  // Two thirds of the time, a test waits: for its Cassandra, for a process that starts, for what must not happen.
  maxWorkers: 4,
  testTimeout: base.testTimeout,
  projects: [
    { ...base, displayName: 'unit', testRegex: unit },
    {
      ...base,
      displayName: 'cassandra',
      testMatch: ['<rootDir>/test/**/*.test.ts', '<rootDir>/examples/*/test/*.test.ts'],
      testPathIgnorePatterns: [
        unit,
        ...(process.env['LONG_TESTS'] === '1' ? [] : [long]),
        '<rootDir>/test/cluster/',
        '<rootDir>/test/browser/',
        '<rootDir>/test/clients/',
        '<rootDir>/test/nodes/',
        '<rootDir>/test/web/',
      ],
      globalSetup: '<rootDir>/test/engine.setup.ts',
      globalTeardown: '<rootDir>/test/engine.teardown.ts',
    },
  ],
};
