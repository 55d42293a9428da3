const base = require('./jest.base.cjs');

/** Tests that start, kill and restore nodes of their own, which takes minutes. @type {import('jest').Config} */
module.exports = {
  ...base,
  testMatch: ['<rootDir>/test/nodes/*.test.ts'],
  maxWorkers: 1,
};
