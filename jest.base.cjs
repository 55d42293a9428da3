// As it is run: outside production, graphql-js looks at each type as if it might come from another graphql-js, a fifth of the time.
process.env.NODE_ENV = 'production';
// A node lives for minutes, or is killed at once: compiling its code thoroughly takes longer than it saves, 10 s of each start.
process.env.JAVA_TOOL_OPTIONS ??= '-XX:TieredStopAtLevel=1';

/** What all test runs have in common. @type {import('jest').Config} */
module.exports = {
  testEnvironment: `${__dirname}/test/shared-packages.environment.cjs`,
  runtime: `${__dirname}/test/shared-packages.runtime.cjs`,
  // The examples' own names for the kit.
  moduleNameMapper: {
    '^murmuration/kit$': '<rootDir>/src/kit/index.ts',
    '^murmuration/testing$': '<rootDir>/src/tools/testing/testing.ts',
  },
  transform: {
    '\\.[jt]s$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: false, useDefineForClassFields: false },
          target: 'es2022',
        },
        module: { type: 'commonjs' },
      },
    ],
  },
  // Packages that are ES modules only: Node requires them, jest only with an experimental flag of Node.
  transformIgnorePatterns: ['/node_modules/(?!(content-disposition|cookie|jose|commander)/)'],
  // Only a test that hangs takes so long, also on a slow machine that runs everything at once.
  testTimeout: 300_000,
};
