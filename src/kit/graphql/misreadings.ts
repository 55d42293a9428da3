import { isDeepStrictEqual } from 'node:util';
import {
  getNamedType,
  getNullableType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  Kind,
  typeFromAST,
  TypeInfo,
  valueFromAST,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type ValueNode,
} from 'graphql';

/** The cases in which graphql-jit would read an operation otherwise than graphql-js. */
interface Misreadings {
  /** Whether that does not depend on the variables. */
  readonly always: boolean;
  /** The variables that it takes for null if they are absent: those that stand in a list or an input object. */
  readonly ifAbsent: readonly string[];
  /** The variables that it does not refuse as graphql-js does if they are null: they stand where null must not. */
  readonly ifNull: readonly string[];
}

/**
 * graphql-jit replaces texts that begin so in the code that it generates, one of them by code that the text itself contains: a
 * query could run any program.
 */
const MARK_OF_CODE = '__MAGIC_';

/** Finds what graphql-jit would misread of an operation of a valid document. */
export function findMisreadings(
  schema: GraphQLSchema,
  document: DocumentNode,
  { variableDefinitions = [] }: OperationDefinitionNode,
): Misreadings {
  const [ifAbsent, ifNull] = [new Set<string>(), new Set<string>()];
  let always = mixesUpConditions(document);
  const typeInfo = new TypeInfo(schema);
  const visitor = visitWithTypeInfo(typeInfo, {
    Field() {
      // The default of an argument in the code of the schema is JSON, too.
      if (typeInfo.getFieldDef()?.args.some(({ defaultValue }) => !isKept(defaultValue))) always = true;
    },
    Argument({ value }) {
      const argument = typeInfo.getArgument();
      if (!argument) return false;
      for (const { node, type } of listLeaves(value, argument.type)) {
        if (node.kind === Kind.VARIABLE) {
          if (node !== value) ifAbsent.add(node.name.value);
          if (isNonNullType(type)) ifNull.add(node.name.value);
        } else if (!isKeptLiteral(node, type)) always = true;
      }
      if (isMisreadType(argument.type)) always = true;
      return false;
    },
  });
  visit(document, visitor);
  for (const { type: typeNode, defaultValue } of variableDefinitions) {
    const type = typeFromAST(schema, typeNode);
    if (!isInputType(type)) continue;
    if (isMisreadType(type)) always = true;
    for (const leaf of defaultValue ? listLeaves(defaultValue, type) : [])
      if (!isSameAsVariable(leaf.node, leaf.type)) always = true;
  }
  // Only the variables of this operation have values, not those of the document's other operations.
  const own = variableDefinitions.map(({ variable }) => variable.name.value);
  return {
    always,
    ifAbsent: own.filter((name) => ifAbsent.has(name)),
    ifNull: own.filter((name) => ifNull.has(name)),
  };
}

/**
 * Whether a document may mix up conditions: graphql-jit takes those of one place for another if one field is selected several
 * times or one fragment is spread twice (graphql-jit issues 111 and 166).
 */
function mixesUpConditions(document: DocumentNode): boolean {
  const conditions: string[] = [];
  const names: string[] = [];
  visit(document, {
    Directive({ name: { value } }) {
      if (value === 'skip' || value === 'include') conditions.push(value);
    },
    Field({ alias, name, selectionSet }) {
      if (selectionSet) names.push((alias ?? name).value);
    },
    FragmentSpread({ name }) {
      names.push(`...${name.value}`);
    },
  });
  return conditions.length > 0 && new Set(names).size < names.length;
}

/** A variable, null, or a value of a leaf type, which stands somewhere in a literal. */
interface Leaf {
  readonly node: ValueNode;
  readonly type: GraphQLInputType;
}

/** The leaves of a literal. The lists and objects above them have no values of their own. */
function listLeaves(node: ValueNode, type: GraphQLInputType): readonly Leaf[] {
  const nullable = getNullableType(type);
  if (node.kind === Kind.VARIABLE || node.kind === Kind.NULL) return [{ node, type }];
  if (isListType(nullable)) {
    const items = node.kind === Kind.LIST ? node.values : [node];
    return items.flatMap((item) => listLeaves(item, nullable.ofType));
  }
  if (!isInputObjectType(nullable) || node.kind !== Kind.OBJECT) return [{ node, type }];
  const fields = nullable.getFields();
  return node.fields.flatMap(({ name, value }) => {
    const field = fields[name.value];
    return field ? listLeaves(value, field.type) : [];
  });
}

/** Whether graphql-jit's code has the value of a literal as it is. An object for a scalar may have variables, which it forgets. */
function isKeptLiteral(node: ValueNode, type: GraphQLInputType): boolean {
  if (node.kind === Kind.NULL) return true;
  if (node.kind === Kind.OBJECT || node.kind === Kind.LIST) return false;
  const value: unknown = valueFromAST(node, type);
  return value !== undefined && (value instanceof Date || isKept(value));
}

/** Whether a value remains the same if it is written as JSON into code, as graphql-jit does. */
function isKept(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
      return !value.includes(MARK_OF_CODE);
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0);
    case 'object': {
      if (value === null || Array.isArray(value)) return value?.every(isKept) ?? true;
      const prototype: unknown = Object.getPrototypeOf(value);
      return (prototype === null || prototype === Object.prototype) && Object.values(value).every(isKept);
    }
    default:
      return value === undefined || typeof value === 'boolean';
  }
}

/**
 * Whether the default value of a variable means the same if it is given as the variable's value, which is done because graphql-jit
 * forgets defaults of non-null types. An id of many digits, for example, would be rounded.
 */
function isSameAsVariable(node: ValueNode, type: GraphQLInputType): boolean {
  if (node.kind === Kind.NULL) return true;
  const leaf = getNamedType(type) as GraphQLLeafType;
  try {
    return isDeepStrictEqual(valueFromAST(node, leaf), leaf.parseValue(valueFromASTUntyped(node)));
  } catch {
    return false;
  }
}

/**
 * Whether values of a type must not be left to graphql-jit: those of input objects of which exactly one field must be given, which it
 * does not check; of those whose fields have defaults that are no JSON; and of those with fields of their own type, for which it
 * would generate code until the stack is full.
 */
function isMisreadType(type: GraphQLInputType, above: readonly GraphQLInputType[] = []): boolean {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return false;
  if (named.isOneOf || above.includes(named)) return true;
  return Object.values(named.getFields()).some(
    (field) => !isKept(field.defaultValue) || isMisreadType(field.type, [...above, named]),
  );
}
