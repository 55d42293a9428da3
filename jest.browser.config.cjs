const base = require('./jest.base.cjs');

/** The tests of the GraphiQL page, which need Chromium. @type {import('jest').Config} */
module.exports = {
  ...base,
  testMatch: ['<rootDir>/test/browser/*.test.ts'],
  globalSetup: '<rootDir>/test/browser/page.setup.ts',
  globalTeardown: '<rootDir>/test/engine.teardown.ts',
  maxWorkers: 1,
};
