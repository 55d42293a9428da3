import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSourceFile, forEachChild, isFunctionDeclaration, ScriptTarget } from 'typescript';

interface Step {
  readonly name: string;
  readonly file: string;
}

const root = join(__dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The steps of the walk in docs/architecture.md: "1. `connect` in `src/kit/lists/connection.ts` …". "There" is the file before. */
function steps(): readonly Step[] {
  const [, section = ''] = read('docs/architecture.md').split('## From a timeline to the driver');
  const [walk = ''] = section.split('\n## ');
  const found: Step[] = [];
  for (const [, name = '', file] of walk.matchAll(/^\d+\. `(\w+)`(?: in `([^`]+)`)?/gm))
    found.push({ name, file: file ?? found.at(-1)?.file ?? '' });
  return found;
}

/** The names of the functions that a file declares. */
function functionsIn(file: string): readonly string[] {
  const names: string[] = [];
  forEachChild(createSourceFile(file, read(file), ScriptTarget.Latest), (node) => {
    if (isFunctionDeclaration(node) && node.name) names.push(node.name.text);
  });
  return names;
}

test('the way from a timeline to the driver takes 12 functions in 6 files', () => {
  const walk = steps();
  expect(walk).toHaveLength(12);
  expect(new Set(walk.map(({ file }) => file)).size).toBe(6);
});

test('each function of that way is in the file that the documentation names', () => {
  for (const { name, file } of steps()) expect([file, ...functionsIn(file)]).toContain(name);
});

test('the way ends at the driver', () => {
  const { file } = steps().at(-1) ?? { file: '' };
  expect(read(file)).toContain('client.execute(');
});
