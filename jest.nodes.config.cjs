const base = require('./jest.base.cjs');

/** Tests that start, kill and restore nodes of their own, which takes minutes. @type {import('jest').Config} */
module.exports = {
  ...base,
  // The suite runs that of workers on its own Cassandra; here they start one.
  testMatch: ['<rootDir>/test/nodes/*.test.ts', '<rootDir>/test/workers.test.ts'],
  maxWorkers: 1,
};
