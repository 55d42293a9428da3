import {
  BREAK,
  getNamedType,
  isAbstractType,
  isObjectType,
  visit,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
} from 'graphql';
import { collectSubfields } from 'graphql/execution/collectFields';

/** A field of a query: what a resolver is told of it. */
type Selected = Pick<
  GraphQLResolveInfo,
  'schema' | 'fragments' | 'variableValues' | 'returnType' | 'fieldNodes'
>;

/** The earlier results, by the nodes of a field and the variables, because each object of a list asks the same. */
const found = new WeakMap<Selected['fieldNodes'], WeakMap<object, Found>>();

interface Found {
  /** Whether a field of a type is selected, by both names. */
  readonly isSelected: Map<string, boolean>;
  /** The fields that are selected of a type. */
  readonly fields: Map<GraphQLObjectType, SelectedFields>;
}

/** The fields that a query selects of an object, each with its nodes. */
type SelectedFields = readonly (readonly FieldNode[])[];
/** Stands for the variables of every request where no directive depends on them. */
const ANY_VARIABLES = {};
const conditional = new WeakMap<Selected['fieldNodes'], boolean>();

/**
 * Whether a query selects a field of the objects of a type that another field returns: of the objects themselves, or of the nodes and
 * edges of a page. It is decided as an executor does: by fragments, type conditions, directives and their variables. The cost of a
 * query is computed by the same function, so what is counted is what is read.
 */
export function selects(asked: Selected, type: string, field: string): boolean {
  const known = foundOf(asked).isSelected;
  const key = `${type}.${field}`;
  let isSelected = known.get(key);
  if (isSelected === undefined)
    known.set(key, (isSelected = isSelectedBelow(asked, asked.returnType, asked.fieldNodes, type, field)));
  return isSelected;
}

/** The fields that a query selects of the objects of a type which another field returns, found in the same way. */
export function selectedFields(asked: Selected, type: GraphQLObjectType): SelectedFields {
  const known = foundOf(asked).fields;
  let fields = known.get(type);
  if (fields === undefined) {
    const { schema, fragments, variableValues, fieldNodes } = asked;
    known.set(type, (fields = subfields(schema, fragments, variableValues, type, fieldNodes)));
  }
  return fields;
}

/**
 * Whether a query selects, of the objects of a type that a field returns, nothing but their key and what resolvers find by it.
 * A field without a resolver is a property of the object, which must be read for it.
 */
export function selectsOnlyKey(asked: Selected, typeName: string, key: string): boolean {
  const type = asked.schema.getType(typeName);
  if (!isObjectType(type)) return false;
  return selectedFields(asked, type).every(([node]) => {
    const name = node?.name.value ?? '';
    return name === '__typename' || name === key || type.getFields()[name]?.resolve !== undefined;
  });
}

function foundOf(asked: Selected): Found {
  const variables = isConditional(asked) ? asked.variableValues : ANY_VARIABLES;
  let ofVariables = found.get(asked.fieldNodes);
  if (ofVariables === undefined) found.set(asked.fieldNodes, (ofVariables = new WeakMap<object, Found>()));
  let known = ofVariables.get(variables);
  if (known === undefined) ofVariables.set(variables, (known = { isSelected: new Map(), fields: new Map() }));
  return known;
}

/** Whether there is a directive below a field, or in any fragment. */
function isConditional({ fieldNodes, fragments }: Selected): boolean {
  let isFound = conditional.get(fieldNodes);
  if (isFound !== undefined) return isFound;
  isFound = false;
  const Directive = () => {
    isFound = true;
    return BREAK;
  };
  for (const node of [...fieldNodes, ...Object.values(fragments)]) visit(node, { Directive });
  conditional.set(fieldNodes, isFound);
  return isFound;
}

/** The fields that lead from a page to its items. */
const TO_ITEMS = ['nodes', 'edges', 'node'];

function isSelectedBelow(
  { schema, fragments, variableValues }: Selected,
  returned: GraphQLOutputType,
  fieldNodes: readonly FieldNode[],
  type: string,
  field: string,
): boolean {
  return listObjectTypes(schema, returned).some((one) => {
    const selected = subfields(schema, fragments, variableValues, one, fieldNodes);
    if (one.name === type) return selected.some(([node]) => node?.name.value === field);
    // Other objects have fields of their own that return objects of the type: those read them.
    if (!/(?:Connection|Edge)$/.test(one.name)) return false;
    return selected.some((nodes) => {
      const inner = one.getFields()[nodes[0]?.name.value ?? ''];
      const leads = inner !== undefined && TO_ITEMS.includes(inner.name);
      return (
        leads &&
        isSelectedBelow(
          { schema, fragments, variableValues, returnType: inner.type, fieldNodes: nodes },
          inner.type,
          nodes,
          type,
          field,
        )
      );
    });
  });
}

function listObjectTypes(schema: GraphQLSchema, returned: GraphQLOutputType): readonly GraphQLObjectType[] {
  const named = getNamedType(returned);
  if (isObjectType(named)) return [named];
  return isAbstractType(named) ? schema.getPossibleTypes(named) : [];
}

function subfields(
  schema: GraphQLSchema,
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
  variableValues: Selected['variableValues'],
  type: GraphQLObjectType,
  fieldNodes: readonly FieldNode[],
): SelectedFields {
  return [...collectSubfields(schema, fragments, variableValues, type, [...fieldNodes]).values()];
}
