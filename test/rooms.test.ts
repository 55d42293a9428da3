import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const src = join(__dirname, '..', 'src');
const imports = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) =>
    [...readFileSync(join(src, file), 'utf8').matchAll(/(?:from|import\() ?'([^']+)'/g)].map(
      ([, target = '']) => ({
        file,
        own: target.startsWith('.'),
        target: target.startsWith('.') ? relative(src, join(src, file, '..', target)) : target,
      }),
    ),
  );

function offending(rule: (file: string, target: string) => boolean): string[] {
  return imports
    .filter(({ file, target }) => rule(file, target))
    .map(({ file, target }) => `${file} → ${target}`);
}

test('only kit/cassandra imports the driver', () => {
  expect(imports.some(({ target }) => target === 'cassandra-driver')).toBe(true);
  expect(
    offending((file, target) => target === 'cassandra-driver' && !file.startsWith('kit/cassandra/')),
  ).toEqual([]);
});

test('the kit imports nothing of the application', () => {
  expect(imports.some(({ file, own }) => own && file.startsWith('kit/'))).toBe(true);
  const upward = imports.filter(
    ({ file, target, own }) => own && file.startsWith('kit/') && !target.startsWith('kit/'),
  );
  expect(upward).toEqual([]);
});

test('no program imports what tests are made with', () => {
  expect(offending((_, target) => target === 'kit/testing')).toEqual([]);
});

test('a table imports the kit and other tables only', () => {
  expect(
    offending((file, target) => file.endsWith('.table.ts') && !/^kit\/cassandra\/|\.table$/.test(target)),
  ).toEqual([]);
});

test('no feature imports what is put together from features', () => {
  const rooms = new Set(
    imports.flatMap(({ file }) => /^([\w-]+)\/[\w-]+\.resolver\.ts$/.exec(file)?.[1] ?? []),
  );
  const features = new RegExp(`^(${[...rooms].join('|')})/`);
  const together =
    /^(main|server|schema|open|config|metrics|tables|status\/.*|jobs\/.*|graphql\/.*|import\/.*|demo\/.*|token\/.*)$/;
  expect(imports.some(({ file }) => features.test(file))).toBe(true);
  expect(offending((file, target) => features.test(file) && together.test(target))).toEqual([]);
});

test('no feature imports the resolver of another', () => {
  expect(offending((file, target) => target.endsWith('.resolver') && file !== 'schema.ts')).toEqual([]);
});
