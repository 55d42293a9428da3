import { join } from 'node:path';
import ts from 'typescript';

const root = join(__dirname, '../..');
const entry = join(root, 'src/kit/index.ts');
const examplesFile = join(root, 'examples/of-the-kit.ts');

/** What every example may use: the entry point of the kit, and a small domain of hotels and rooms. */
const prelude = (names: readonly string[]) => `
import { ${names.join(', ')} } from 'murmuration/kit';
import type { Database, Load, Row, SmallServer } from 'murmuration/kit';
import { Field, InputType, Int, Query, Resolver } from 'type-graphql';
declare const database: Database;
declare const load: Load;
declare const hotelServer: SmallServer;
declare const nights: number;
const bulk = createBulkWriter(database);
const rooms = table('rooms', { hotelId: id, number: int, name: optional(text(400)) }, { partition: ['hotelId'], clustering: ['number'] });
`;

/** Functions that a server for another domain calls in other ways than by one line, or that no example calls. */
const WITHOUT = new Set([
  'bucketList',
  'bucketReads',
  'buildApi',
  'bySelection',
  'connectTerms',
  'ConnectionOf',
  'copyOrRead',
  'CostExample',
  'createHttpServer',
  'EdgeOf',
  'fromSources',
  'HoldsItems',
  'integerSetting',
  'MaxItems',
  'ofCaller',
  'oneOf',
  'openKeyspace',
  'periodList',
  'printed',
  'putRows',
  'readSettings',
  'scheduleSealing',
  'selects',
  'serverConfigOf',
  'sourceOf',
  'stretchReads',
  'together',
  'visibilityReads',
]);

const { options } = ts.parseJsonConfigFileContent(
  ts.readConfigFile(join(root, 'tsconfig.json'), (path) => ts.sys.readFile(path)).config,
  ts.sys,
  root,
);
const compilerOptions = { ...options, noUnusedLocals: false, noUnusedParameters: false };

/** The program of the entry point and of a file that is not on the disk. */
function programOf(text: string): ts.Program {
  const disk = ts.createCompilerHost(compilerOptions);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (path) => path === examplesFile || disk.fileExists(path),
    getSourceFile: (path, ...rest) =>
      path === examplesFile ? ts.createSourceFile(path, text, rest[0]) : disk.getSourceFile(path, ...rest),
  };
  return ts.createProgram([entry, examplesFile], compilerOptions, host);
}

/** The exported functions with their examples; null for none. */
function examplesOf(program: ts.Program): Map<string, string | null> {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(entry);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error('The entry point must be a module.');
  const examples = new Map<string, string | null>();
  for (const exported of checker.getExportsOfModule(module)) {
    const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
    if (!(symbol.flags & ts.SymbolFlags.Function)) continue;
    const comments = symbol.declarations?.flatMap((node) => ts.getJSDocCommentsAndTags(node)) ?? [];
    // As it is written: TypeScript takes the decorators of an example for tags.
    const text = comments.map((comment) => comment.getFullText().replace(/^ *\* ?/gm, '')).join('\n');
    const code = /@example\n```ts\n([^]*?)```/.exec(text)?.[1];
    examples.set(exported.name, code ?? null);
  }
  return examples;
}

test('the functions of the kit have examples, which compile', () => {
  const names = [...examplesOf(programOf('export {};'))];
  expect(names.flatMap(([name, code]) => ((code === null) === WITHOUT.has(name) ? [] : [name]))).toEqual([]);
  const blocks = names.flatMap(([name, code]) =>
    code === null ? [] : [`// ${name}\nexport async function exampleOf_${name}() {\n${code}\n}`],
  );
  const values = [...names.map(([name]) => name), 'ID_BOUNDS', 'ONE_PARTITION', 'id', 'int', 'timestamp'];
  const text = [prelude(values), ...blocks].join('\n');
  const program = programOf(text);
  const source = program.getSourceFile(examplesFile);
  const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
  const faults = found.map(({ start = 0, messageText }) => {
    const before = text.slice(0, start);
    const name = /exampleOf_(\w+)(?!.*exampleOf_)/s.exec(before)?.[1] ?? 'the prelude';
    return `${name}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
  expect(faults).toEqual([]);
});
