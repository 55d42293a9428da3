import {
  DirectiveLocation,
  getNullableType,
  GraphQLBoolean,
  GraphQLDirective,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
  isEnumType,
  isListType,
  isObjectType,
  isRequiredArgument,
  parse,
  visit,
  type ASTNode,
  type FieldDefinitionNode,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';
import { sumOf } from './cost';
import { dearest } from './field-cost';
import { askedByDefault, isConnection } from './asked';
import { declarationOf, type CostArguments } from './reads';

// The directives of the GraphQL cost specification (https://ibm.github.io/graphql-specs/cost-spec.html), by which gateways
// refuse queries before they send them. The weight is a whole number, as the gateways of Apollo, WunderGraph and Hive define it;
// the specification has a text.
const weight = { type: new GraphQLNonNull(GraphQLInt) };
const names = { type: new GraphQLList(new GraphQLNonNull(GraphQLString)) };

/** `@cost`: how many partitions a field reads at most, each time that it is resolved. */
const costDirective = new GraphQLDirective({
  name: 'cost',
  description:
    'How many partitions the field reads at most with its default arguments, or each item of a list; objects read none themselves. At an argument: how many more, if it is given.',
  locations: [
    DirectiveLocation.ARGUMENT_DEFINITION,
    DirectiveLocation.ENUM,
    DirectiveLocation.FIELD_DEFINITION,
    DirectiveLocation.INPUT_FIELD_DEFINITION,
    DirectiveLocation.OBJECT,
    DirectiveLocation.SCALAR,
  ],
  args: { weight },
});

/** `@listSize`: how many items a list has at most. */
const listSizeDirective = new GraphQLDirective({
  name: 'listSize',
  description: 'How many items the list has at most, or the lists in the page that the field returns.',
  locations: [DirectiveLocation.FIELD_DEFINITION],
  args: {
    assumedSize: { type: GraphQLInt },
    slicingArguments: names,
    sizedFields: names,
    requireOneSlicingArgument: { type: GraphQLBoolean, defaultValue: true },
  },
});

/** The directives that a schema defines to say what its fields cost. */
export const costDirectives: readonly GraphQLDirective[] = [costDirective, listSizeDirective];

type Field = GraphQLField<unknown, unknown>;

/** A directive, as text, and after which character of a schema's text it belongs. */
export interface AppendedDirective {
  readonly at: number;
  readonly directive: string;
}

/** Adds directives to the text of a schema. */
export function appendDirectives(text: string, directives: readonly AppendedDirective[]): string {
  return directives
    .toSorted((a, b) => b.at - a.at)
    .reduce((all, { at, directive }) => `${all.slice(0, at)} ${directive}${all.slice(at)}`, text);
}

/** Adds to the text of a schema what its fields cost, as directives that are generated from the bounds of the fields. */
export function withCosts(text: string, schema: GraphQLSchema): string {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const directives: AppendedDirective[] = [];
  const add = (after: ASTNode | undefined, directive: string) =>
    void directives.push({ at: after?.loc?.end ?? text.length, directive });
  visit(parse(text), {
    ObjectTypeDefinition(node) {
      const type = schema.getType(node.name.value);
      if (!isObjectType(type)) return;
      const isRoot = roots.includes(type);
      if (!isRoot) add(node.interfaces?.at(-1) ?? node.name, applied('cost', { weight: 0 }));
      for (const field of node.fields ?? []) {
        const declared = type.getFields()[field.name.value];
        if (declared) addCosts(field, declared, isRoot, add);
      }
    },
  });
  return appendDirectives(text, directives);
}

function addCosts(
  node: FieldDefinitionNode,
  field: Field,
  isRoot: boolean,
  add: (after: ASTNode, directive: string) => void,
): void {
  const asked = askedByDefault(field, declarationOf(field).example?.args ?? {});
  const reads = countFieldReads(field, asked, isRoot);
  const size = describeListSize(field, asked);
  // Gateways multiply the weight of a list by its size. If its items are not read one by one, an argument that is always given has it.
  const items = isListType(getNullableType(field.type)) ? Math.max(1, asked.limit) : 1;
  const required = reads < items ? field.args.find(isRequiredArgument)?.name : undefined;
  for (const argument of node.arguments ?? []) {
    const name = argument.name.value;
    const weight = name === required ? reads : dearestValue(field, name, asked, isRoot) - reads;
    if (weight > 0) add(argument, applied('cost', { weight }));
  }
  const cost = reads > 0 && !required ? [applied('cost', { weight: Math.ceil(reads / items) })] : [];
  const all = [...cost, ...(size ? [applied('listSize', size)] : [])];
  if (all.length > 0) add(node, all.join(' '));
}

/** The text of a directive. Its values are numbers, names and Booleans, which GraphQL writes as JSON does. */
function applied(name: string, values: object): string {
  const given = Object.entries(values).map(([argument, value]) => `${argument}: ${JSON.stringify(value)}`);
  return `@${name}(${given.join(', ')})`;
}

/**
 * Counts the partitions that a field reads each time. A read that a request makes only once counts for the roots, which are resolved once.
 */
function countFieldReads(field: Field, asked: CostArguments, isRoot: boolean): number {
  const bounds = (declarationOf(field).reads ?? []).flatMap((bound) => dearest(bound, asked));
  return sumOf(bounds.filter(({ bound }) => isRoot || bound.scope !== 'request').map(({ cost }) => cost))
    .reads;
}

/** How many partitions a field reads with the dearest value of an enum argument, such as an order; 0 for other arguments. */
function dearestValue(field: Field, argument: string, asked: CostArguments, isRoot: boolean): number {
  const values = field.args.flatMap(({ name, type }) => {
    const named = getNullableType(type);
    return name === argument && isEnumType(named) ? named.getValues() : [];
  });
  return Math.max(
    0,
    ...values.map(({ value }: { value: unknown }) =>
      countFieldReads(field, askedByDefault(field, { ...asked.args, [argument]: value }), isRoot),
    ),
  );
}

interface ListSize {
  readonly assumedSize: number;
  readonly slicingArguments?: readonly string[];
  readonly sizedFields?: readonly string[];
  readonly requireOneSlicingArgument: boolean;
}

/** The size of a list or page, and the arguments that set it; undefined for fields that are neither. */
function describeListSize(field: Field, { args, limit }: CostArguments): ListSize | undefined {
  const { items, holds } = declarationOf(field);
  if (!items && !holds && !isConnection(field)) return undefined;
  const slicing = field.args.flatMap(({ name }) => (name === 'first' || name === 'last' ? [name] : []));
  const type = getNullableType(field.type);
  const sized = isObjectType(type) ? findListFields(type) : [];
  return {
    assumedSize: holds ? holds(args) : limit,
    ...(slicing.length > 0 && { slicingArguments: slicing }),
    ...(sized.length > 0 && { sizedFields: sized }),
    requireOneSlicingArgument: false,
  };
}

function findListFields(type: GraphQLObjectType): string[] {
  return Object.values(type.getFields()).flatMap(({ name, type: of }) =>
    isListType(getNullableType(of)) ? [name] : [],
  );
}
