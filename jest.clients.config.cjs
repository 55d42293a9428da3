const base = require('./jest.base.cjs');

/** Clients that are generated for the schema, in several languages; those whose tools are not on the machine are skipped. @type {import('jest').Config} */
module.exports = {
  ...base,
  testMatch: ['<rootDir>/test/clients/*.test.ts'],
  globalSetup: '<rootDir>/test/engine.setup.ts',
  globalTeardown: '<rootDir>/test/engine.teardown.ts',
  maxWorkers: 1,
  // Packages are fetched and compiled.
  testTimeout: 600_000,
};
