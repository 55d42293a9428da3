import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

const MAX_FILE_LINES = 400;
const MAX_FUNCTION_LINES = 60;

const root = join(__dirname, '..');
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /^(src|test|bench|examples)\/.*\.tsx?$/.test(file) && existsSync(join(root, file)));

test('no file is too long', () => {
  expect(files.length).toBeGreaterThan(100);
  const long = files.flatMap((file) => {
    const lines = readFileSync(join(root, file), 'utf8').split('\n').length - 1;
    return lines > MAX_FILE_LINES ? `${file} has ${lines} lines` : [];
  });
  expect(long).toEqual([]);
});

test('no function is too long, not counting the functions in it, blank lines and comments', () => {
  expect(files.flatMap(longFunctionsOf)).toEqual([]);
});

function longFunctionsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const isCode = text.split('\n').map((line) => !/^\s*($|\/\/|\/?\*)/.test(line));
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line;
  const long: string[] = [];
  /** Returns the lines of a node that belong to a function in it, which the functions around it do not count. */
  const visit = (node: ts.Node): ReadonlySet<number> => {
    const ofFunctions = new Set<number>();
    ts.forEachChild(node, (child) => {
      for (const line of visit(child)) ofFunctions.add(line);
    });
    if (!isFunction(node)) return ofFunctions;
    const [first, last] = [lineAt(node.getStart()), lineAt(node.getEnd())];
    const all = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    const own = all.filter((line) => isCode[line] && !ofFunctions.has(line)).length;
    if (own > MAX_FUNCTION_LINES) long.push(`${file}:${first + 1} has ${own} lines`);
    // The first line says that there is a function, so it counts for the parent.
    return new Set(all.slice(1));
  };
  visit(source);
  return long;
}

function isFunction(node: ts.Node): boolean {
  return (
    ts.isFunctionDeclaration(node) ||
    ts.isMethodDeclaration(node) ||
    ts.isArrowFunction(node) ||
    ts.isFunctionExpression(node) ||
    ts.isConstructorDeclaration(node) ||
    ts.isAccessor(node)
  );
}
