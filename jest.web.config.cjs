const base = require('./jest.base.cjs');

/** The tests of the page in examples/web, which need Chromium, and packages of the page's own. @type {import('jest').Config} */
module.exports = {
  ...base,
  testMatch: ['<rootDir>/test/web/*.test.ts'],
  globalSetup: '<rootDir>/test/web/web.setup.ts',
  globalTeardown: '<rootDir>/test/engine.teardown.ts',
  maxWorkers: 1,
};
