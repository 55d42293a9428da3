import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Package {
  readonly license?: string;
  readonly dev?: true;
  readonly devOptional?: true;
}

/** Licences that ask for no more than to be named, so that whoever runs or sells the server is free to. */
const PERMISSIVE = [
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Unlicense',
];

/** Packages whose licence is in a file and not where npm looks for it. */
const BY_FILE: Readonly<Record<string, string>> = { 'node_modules/twitter-text': 'Apache-2.0' };

test('every package that a server runs with has a permissive licence', () => {
  const lock = JSON.parse(readFileSync(join(__dirname, '../package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Package>>;
  };
  const served = Object.entries(lock.packages).filter(
    ([path, { dev, devOptional }]) => path !== '' && !dev && !devOptional,
  );
  expect(served.length).toBeGreaterThan(100);
  const others = served
    .map(([path, { license }]) => [path, license ?? BY_FILE[path] ?? 'unknown'] as const)
    .filter(
      ([, license]) =>
        !license
          .replace(/[()]/g, '')
          .split(' AND ')
          .every((one) => PERMISSIVE.includes(one)),
    );
  expect(others).toEqual([]);
});
