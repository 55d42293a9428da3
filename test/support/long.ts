/**
 * Whether tests run in their long forms, with all cases of a property. `npm run test:long` says so, and runs each test that imports this
 * file, itself or through another one. Tests that have no short form are named `*.long.test.ts`.
 */
export const isLong = process.env['LONG_TESTS'] === '1';
