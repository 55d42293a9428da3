const base = require('./jest.base.cjs');

/** The tests that need a ring of nodes of their own. @type {import('jest').Config} */
module.exports = {
  ...base,
  testMatch: ['<rootDir>/test/cluster/*.test.ts'],
  maxWorkers: 1,
  // The driver leaves a timer behind for a connection that broke when its node was killed, also after its shutdown.
  forceExit: true,
};
