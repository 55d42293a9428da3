/**
 * Whether tests run in their long forms, with all cases of a property. `npm run test:properties` says so, and runs each test that imports this
 * file, itself or through another one.
 */
export const isLong = process.env['PROPERTIES'] === 'all';
