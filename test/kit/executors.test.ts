import fc from 'fast-check';
import {
  buildSchema,
  execute,
  getNamedType,
  getNullableType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isListType,
  isObjectType,
  isScalarType,
  Kind,
  parse,
  validate,
  valueFromASTUntyped,
  type ExecutionResult,
  type GraphQLOutputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { documentBytes } from '../../src/kit/graphql/document-store';
import { prepareOperation } from '../../src/kit/graphql/prepare';
import { createSchema } from '../../src/app';
import { TRIED } from '../support/client';
import { operationsOf, type Asked } from '../support/operations';

const every = buildSchema(`
  enum Colour { RED GREEN BLUE }
  scalar Moment
  scalar Any
  input Leaf {
    n: Int f: Float s: String b: Boolean id: ID colour: Colour at: Moment any: Any
    preset: Int = 7 presetNeeded: Int! = 5 presetText: String = "d" presetColour: Colour = BLUE
    words: [String] numbers: [Int!] grid: [[Int]] presetList: [ID!]! = ["x"]
  }
  input Branch { leaf: Leaf leaves: [Leaf!] needed: Leaf! presetLeaf: Leaf = { s: "p", words: ["q", null] } }
  input Preset { at: Moment = "2026-01-01T00:00:00.000Z" n: Int }
  input Rope { n: Int = 1 more: Rope }
  input One @oneOf { n: Int s: String leaf: Leaf }
  interface Thing { told: String child(n: Int! = 3, leaf: Leaf): Thing }
  type Stone implements Thing { told: String child(n: Int! = 3, leaf: Leaf): Thing weight(unit: Colour = RED, at: Moment): Float }
  type Plant implements Thing { told: String child(n: Int! = 3, leaf: Leaf): Thing leaves(first: Int, of: [Leaf]): [Thing!]! }
  type Query {
    thing(n: Int, leaf: Leaf = { s: "e" }, words: [String!]): Thing
    must(n: Int!, leaf: Leaf!, grid: [[Int!]!]!): Plant!
    branch(branch: Branch, branches: [Branch]): Thing
    scalars(f: Float = 0.5, s: String = "s", b: Boolean = true, id: ID = "i", at: Moment, any: Any, anys: [Any]): Stone
    presets(n: Int! = 4, colour: Colour! = GREEN, colours: [Colour!] = [RED], ids: [ID!]! = ["a"]): [Thing]
    odd(preset: Preset, rope: Rope, one: One): Thing
  }
  type Mutation { change(leaf: Leaf!, branch: Branch): Plant also(n: Int = 1, leaves: [Leaf!]! = [{}]): Thing! }
`);
for (const type of Object.values(every.getTypeMap())) {
  const at = isInputObjectType(type) && type.name === 'Preset' ? type.getFields()['at'] : undefined;
  if (at) at.defaultValue = new Date('2026-01-01');
  if (!isScalarType(type)) continue;
  const momentOf = (value: unknown) => {
    if (typeof value !== 'string') throw new TypeError('A moment must be text');
    return new Date(value);
  };
  if (type.name === 'Moment') {
    type.parseValue = momentOf;
    type.parseLiteral = (node) => momentOf(node.kind === Kind.STRING ? node.value : null);
  }
  if (type.name === 'Any') type.parseLiteral = (node, variables) => valueFromASTUntyped(node, variables);
}

const moments = {
  literals: ['"2026-01-01T00:00:00Z"', '"2026-06-01T00:00:00+02:00"'],
  values: ['2026-01-01T00:00:00Z', '2026-06-01T00:00:00+02:00', 5],
};
const scalars = {
  Moment: moments,
  DateTime: moments,
  Date: { literals: ['"2026-01-01"'], values: ['2026-01-01', '2026-06-01', 'x'] },
  Any: {
    literals: ['1', '{ a: [1, "b"] }', '"t"', '[RED]', '-0'],
    values: [{ a: [null, { b: 1 }] }, 't', 1, 1],
  },
};

/** What resolvers were called with, in any order. */
let calls: string[] = [];
/** The number of the operation, so that the same fields answer otherwise in others. */
let operations = 0;

/**
 * A number of a field and of the operation. It is the same for all items of a list: where one of them throws at once, graphql-js forgets
 * that others are still to be rejected, and nobody handles that.
 */
function choose(path: readonly (string | number)[], most: number): number {
  const name = path.filter((step) => typeof step === 'string').join('.');
  let sum = operations;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return sum % most;
}

/** Makes every field of a schema answer at once or soon, and tell what it was called with. */
function tellArguments(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isAbstractType(type)) type.resolveType = (value: { type: string }) => value.type;
    if (!isObjectType(type) || type.name.startsWith('__')) continue;
    type.isTypeOf = undefined;
    for (const field of Object.values(type.getFields()))
      field.resolve = (_root, args, _context, { path }) => {
        const steps: (string | number)[] = [];
        for (let step: typeof path | undefined = path; step; step = step.prev) steps.unshift(step.key);
        calls.push(`${steps.join('.')} ${shown(args)}`);
        const answer = answerOf(schema, field.type, steps);
        return choose(steps, 3) === 0 ? Promise.resolve(answer) : answer;
      };
  }
  return schema;
}

function answerOf(
  schema: GraphQLSchema,
  type: GraphQLOutputType,
  path: readonly (string | number)[],
): unknown {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return [0, 1].map(() => answerOf(schema, nullable.ofType, path));
  const named = getNamedType(nullable);
  if (isEnumType(named)) return named.getValues()[0]?.value;
  if (isScalarType(named))
    return (
      { Int: 1, Float: 0.5, Boolean: true, Date: '2026-01-01', DateTime: new Date(0) }[named.name] ?? 't'
    );
  if (isAbstractType(named)) return { type: schema.getPossibleTypes(named)[choose(path, 2)]?.name };
  return {};
}

/** A value as text that tells absent from undefined and null, moments from texts, and 0 from -0. */
function shown(value: unknown): string {
  if (value instanceof Date) return `a moment ${value.getTime()}`;
  if (Object.is(value, -0)) return '-0';
  if (Array.isArray(value)) return `[${value.map(shown).join(', ')}]`;
  if (value === undefined) return 'undefined';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, inner]) => `${key}: ${shown(inner)}`).join(', ')}}`;
}

/** What an execution did and answered. */
async function told(run: () => ExecutionResult | Promise<ExecutionResult>) {
  calls = [];
  const { data, errors = [] } = await run();
  const messages = errors.map(({ message, path }) => `${path?.join('.') ?? ''}: ${message}`);
  return { data, errors: messages.sort(), calls: calls.sort() };
}

/** Runs an operation by both executors; gives what each did, or undefined if the operation is not valid. */
async function runTwice(schema: GraphQLSchema, { source, variables }: Asked) {
  const document = parse(source);
  if (validate(schema, document).length > 0) return undefined;
  operations++;
  const operation = document.definitions[0] as OperationDefinitionNode;
  const prepared = prepareOperation(schema, document, operation);
  const root = {};
  const operationName = operation.name?.value ?? null;
  return {
    actual: await told(() => prepared.run(root, {}, variables)),
    expected: await told(() =>
      execute({
        schema,
        document,
        rootValue: root,
        contextValue: {},
        variableValues: variables,
        operationName,
      }),
    ),
    isCompiled: prepared.bytes > documentBytes(document),
  };
}

const pure = tellArguments(every);

test.each<[string, string, Asked['variables']]>([
  [
    'an absent variable in an object',
    'query ($s: String, $n: Int) { thing(leaf: { s: $s, n: $n }) { told } }',
    { n: 1 },
  ],
  ['a null one', 'query ($s: String) { thing(leaf: { s: $s }) { told } }', { s: null }],
  [
    'an absent one where a field has a default',
    'query ($n: Int) { thing(leaf: { preset: $n }) { told } }',
    {},
  ],
  ['a null one there', 'query ($n: Int) { thing(leaf: { preset: $n }) { told } }', { n: null }],
  [
    'an absent one where a field that must not be null has a default',
    'query ($n: Int) { thing(leaf: { presetNeeded: $n }) { told } }',
    {},
  ],
  ['a null one there', 'query ($n: Int) { thing(leaf: { presetNeeded: $n }) { told } }', { n: null }],
  [
    'a null one for a field that must be given',
    'query ($l: Leaf = { n: 1 }) { branch(branch: { needed: $l }) { told } }',
    { l: null },
  ],
  [
    'an object whose field has its default',
    'query ($l: Leaf) { thing(leaf: $l) { told } }',
    { l: { s: 'a' } },
  ],
  ['an absent one in a list', 'query ($s: String) { thing(leaf: { words: ["a", $s] }) { told } }', {}],
  [
    'an absent one in a list of lists',
    'query ($n: Int) { thing(leaf: { grid: [[1, $n], [$n]] }) { told } }',
    {},
  ],
  [
    'an absent one in a list of objects',
    'query ($s: String) { branch(branch: { needed: {}, leaves: [{ s: $s }, { n: 1 }] }) { told } }',
    {},
  ],
  [
    'an absent one in an object that is the only item of a list',
    'query ($s: String) { branch(branches: { needed: { s: $s } }) { told } }',
    {},
  ],
  [
    'a null one in a list of what must not be null',
    'query ($s: String = "a") { thing(words: ["b", $s]) { told } }',
    { s: null },
  ],
  [
    'an absent one with a default in an object',
    'query ($s: String = "a") { thing(leaf: { s: $s }) { told } }',
    {},
  ],
  ['an absent argument', 'query ($n: Int, $l: Leaf) { thing(n: $n, leaf: $l) { told } }', {}],
  [
    'an absent argument that must not be null and has a default',
    'query ($n: Int, $c: Colour) { presets(n: $n, colour: $c) { told } }',
    {},
  ],
  [
    'two null ones there',
    'query ($n: Int, $c: Colour) { presets(n: $n, colour: $c) { told } }',
    { n: null, c: null },
  ],
  [
    'a null condition',
    'query ($b: Boolean = true) { thing { told @include(if: $b) child { told } } }',
    { b: null },
  ],
  [
    'a null condition that leaves out',
    'query ($b: Boolean = false) { thing { told @skip(if: $b) child { told } } }',
    { b: null },
  ],
  [
    'an absent condition with a default',
    'query ($b: Boolean = false) { thing { told @include(if: $b) child { told } } }',
    {},
  ],
  [
    'a default that is an id of many digits',
    'query ($i: ID! = 9007199254740993) { scalars(id: $i) { told } }',
    {},
  ],
  ['a moment in an object', '{ thing(leaf: { at: "2026-01-01T00:00:00Z" }) { told } }', {}],
  [
    'a variable in an object for a scalar',
    'query ($n: Int) { scalars(any: { a: $n }, anys: [{ b: [$n] }]) { told } }',
    { n: 1 },
  ],
  ['minus zero', '{ thing(leaf: { f: -0.0 }) { told } }', {}],
  ['a default that is a moment', 'query ($p: Preset) { odd(preset: $p) { told } }', { p: {} }],
  [
    'an object with fields of its own type',
    'query ($r: Rope) { odd(rope: $r) { told } }',
    { r: { more: { more: {} } } },
  ],
  [
    'two fields of an object that must have one',
    'query ($o: One) { odd(one: $o) { told } }',
    { o: { n: 1, s: 'a' } },
  ],
  [
    'variables of another operation',
    'query B($n: Int) { thing(n: $n) { told } } query A($s: String) { thing(leaf: { s: $s }) { told } }',
    {},
  ],
])('%s means the same by both executors', async (_name, source, variables) => {
  const both = await runTwice(pure, { source, variables });
  expect(both?.actual).toEqual(both?.expected);
  expect(both).toBeDefined();
});

test('a text that graphql-jit would run as code is a text', async () => {
  const mark = '__MAGIC_DATE__33a9e76d_02e0_4128_8e92_3530ad3da74d';
  const code = `globalThis.wasRun = true`;
  for (const text of [`"${mark}${code}"`, `"""${mark}${code}"""`, `"\\u005f${mark.slice(1)}${code}"`])
    for (const source of [
      `{ scalars(s: ${text}) { told } }`,
      `{ thing(leaf: { s: ${text} }, words: [${text}]) { told } }`,
      `query ($n: Int) { thing(leaf: { s: ${text}, n: $n }) { told } }`,
      `query ($s: String = ${text}) { scalars(s: $s) { told } }`,
      `{ scalars(any: { a: ${text} }) { told } }`,
    ]) {
      const both = await runTwice(pure, { source, variables: { n: 1 } });
      expect(both?.actual).toEqual(both?.expected);
      expect(both?.actual.calls.join()).toContain(code);
    }
  expect(Reflect.get(globalThis, 'wasRun')).toBeUndefined();
});

test('an operation is compiled although its variables may be absent', () => {
  const source = 'query ($n: Int, $s: String) { thing(n: $n, leaf: { s: $s }) { told } }';
  const document = parse(source);
  const { bytes } = prepareOperation(pure, document, document.definitions[0] as OperationDefinitionNode);
  expect(bytes).toBeGreaterThan(documentBytes(document));
});

test.each([
  ['a schema of every kind of input', pure, 1200],
  ["the server's own schema", tellArguments(createSchema()), 800],
])('an operation means the same by both executors, in %s', async (_name, schema, most) => {
  const counts = { tried: 0, valid: 0, compiled: 0, answered: 0 };
  await fc.assert(
    fc.asyncProperty(operationsOf(schema, scalars), async (asked) => {
      counts.tried++;
      const both = await runTwice(schema, asked);
      if (!both) return;
      counts.valid++;
      if (both.isCompiled) counts.compiled++;
      if (both.expected.data !== undefined) counts.answered++;
      expect(both.actual).toEqual(both.expected);
    }),
    // Shrinking a whole operation takes minutes.
    { numRuns: Math.ceil(most * TRIED), endOnFailure: true },
  );
  // Else the operations are too odd to try much.
  expect(counts.valid).toBeGreaterThan(0.7 * counts.tried);
  expect(counts.compiled).toBeGreaterThan(0.25 * counts.valid);
  expect(counts.answered).toBeGreaterThan(0.4 * counts.valid);
});
