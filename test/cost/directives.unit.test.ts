import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  buildSchema,
  getDirectiveValues,
  getNamedType,
  getNullableType,
  getOperationAST,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  Kind,
  parse,
  valueFromASTUntyped,
  type FieldNode,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql';
import { encodeNodeId } from '../../src/kit/graphql/global-id';
import { createCostFunction } from '../../src/kit/cost/query-cost';
import { printed } from '../../src/kit/graphql/schema';
import { createSchema } from '../../src/app';

const own = createSchema();
/** The schema as a gateway has it: from the printed text alone. */
const read = buildSchema(printed(own));

const folder = join(__dirname, 'screens');
const screens = readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')] as const);

/** Estimates a query's cost as gateways do: each field its weight and what is below it, times the size of its list. */
function estimate(source: string, variables: Readonly<Record<string, unknown>>): number {
  const document = parse(source);
  const operation = getOperationAST(document);
  const root = operation && read.getRootType(operation.operation);
  const cost = read.getDirective('cost');
  const listSize = read.getDirective('listSize');
  if (!operation || !root || !cost || !listSize) throw new Error('must be a query');
  const numberOf = (node: FieldNode, name: string): number | undefined => {
    const value = node.arguments?.find((argument) => argument.name.value === name)?.value;
    return value && (valueFromASTUntyped(value, variables) as number | undefined);
  };
  const sum = (
    set: SelectionSetNode | undefined,
    type: string,
    sized: ReadonlyMap<string, number>,
  ): number => {
    let total = 0;
    for (const node of set?.selections ?? []) {
      if (node.kind === Kind.INLINE_FRAGMENT) {
        total += sum(node.selectionSet, node.typeCondition?.name.value ?? type, sized);
        continue;
      }
      if (node.kind === Kind.FRAGMENT_SPREAD) {
        const named = document.definitions.find(
          (definition) =>
            definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === node.name.value,
        );
        if (named?.kind === Kind.FRAGMENT_DEFINITION)
          total += sum(named.selectionSet, named.typeCondition.name.value, sized);
        continue;
      }
      const parent = read.getType(type);
      if (!isObjectType(parent) && !isInterfaceType(parent)) continue;
      const field = parent.getFields()[node.name.value];
      if (!field) continue;
      const of = getNamedType(field.type);
      const size = field.astNode && getDirectiveValues(listSize, field.astNode);
      const asked = ((size?.['slicingArguments'] ?? []) as string[]).map((name) => numberOf(node, name));
      const given = asked.filter((value) => value !== undefined);
      const items = given.length > 0 ? Math.max(...given) : (size?.['assumedSize'] as number | undefined);
      const times = isListType(getNullableType(field.type)) ? (sized.get(field.name) ?? items ?? 10) : 1;
      const weights = [field.astNode, of.astNode].map((at) => at && getDirectiveValues(cost, at)?.['weight']);
      const weight = weights.find((value) => value !== undefined) ?? (isCompositeType(of) ? 1 : 0);
      const more = (node.arguments ?? []).map((argument) => {
        const at = field.args.find(({ name }) => name === argument.name.value)?.astNode;
        return Number((at && getDirectiveValues(cost, at)?.['weight']) ?? 0);
      });
      total += more.reduce((a, b) => a + b, 0);
      const below = new Map(((size?.['sizedFields'] ?? []) as string[]).map((name) => [name, items ?? 10]));
      total += times * (Number(weight) + sum(node.selectionSet, of.name, below));
    }
    return total;
  };
  return sum(operation.selectionSet, root.name, new Map());
}

const variables = {
  viewer: encodeNodeId('User', '1'),
  tweet: encodeNodeId('Tweet', '100'),
  article: encodeNodeId('Article', '1'),
  day: new Date('2026-01-01'),
  from: new Date('2026-01-01'),
  to: new Date('2026-02-01'),
  words: ['tweet', 'ada'],
  area: { south: 0, west: 0, north: 2, east: 3 },
};

test.each(screens)(
  'a gateway that knows only schema.graphql expects about the bound of the screen %s',
  (_file, source) => {
    const document = parse(source);
    const operation = getOperationAST(document);
    if (!operation) throw new Error('must have one operation');
    const fragments = Object.fromEntries(
      document.definitions.flatMap((definition) =>
        definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
      ),
    );
    const { reads } = createCostFunction(own, { operation, fragments, isForPeople: false })(variables);
    // Directives cannot say that fields of one object share a read, or that a page of fifty is dearer than one of 25.
    expect(estimate(source, variables) / reads).toBeGreaterThan(0.5);
    expect(estimate(source, variables) / reads).toBeLessThan(3);
  },
);

test('schema.graphql defines the directives as gateways do', () => {
  const definitions = (schema: GraphQLSchema) =>
    ['cost', 'listSize'].map((name) => {
      const directive = schema.getDirective(name);
      const args = directive?.args.map((argument) => [
        argument.name,
        String(argument.type),
        argument.defaultValue,
      ]);
      return [name, directive?.locations.toSorted(), args?.toSorted()];
    });
  // Of Apollo Federation 2.9.
  const federation = buildSchema(`
    directive @cost(weight: Int!) on ARGUMENT_DEFINITION | ENUM | FIELD_DEFINITION | INPUT_FIELD_DEFINITION | OBJECT | SCALAR
    directive @listSize(assumedSize: Int, slicingArguments: [String!], sizedFields: [String!], requireOneSlicingArgument: Boolean = true) on FIELD_DEFINITION
    type Query { a: Int }
  `);
  expect(definitions(read)).toEqual(definitions(federation));
});
