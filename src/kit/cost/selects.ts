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
export type Selected = Pick<
  GraphQLResolveInfo,
  'schema' | 'fragments' | 'variableValues' | 'returnType' | 'fieldNodes'
>;

/** What was found before, by the nodes of a field and the variables: each object of a list asks the same. */
const found = new WeakMap<Selected['fieldNodes'], WeakMap<object, Map<string, boolean>>>();
/** Stands for the variables of every request where no directive depends on them. */
const ANY_VARIABLES = {};
const conditional = new WeakMap<Selected['fieldNodes'], boolean>();

/**
 * Whether a query selects a field of the objects of a type that another field returns: of the objects themselves, or of the nodes and
 * edges of a page. It is decided as an executor does: by fragments, type conditions, directives and their variables. The cost of a
 * query is computed by the same function, so what is counted is what is read.
 */
export function selects(asked: Selected, type: string, field: string): boolean {
  const variables = isConditional(asked) ? asked.variableValues : ANY_VARIABLES;
  const ofVariables = found.get(asked.fieldNodes) ?? new WeakMap<object, Map<string, boolean>>();
  found.set(asked.fieldNodes, ofVariables);
  const known = ofVariables.get(variables) ?? new Map<string, boolean>();
  ofVariables.set(variables, known);
  const key = `${type}.${field}`;
  let isSelected = known.get(key);
  if (isSelected === undefined)
    known.set(key, (isSelected = isSelectedBelow(asked, asked.returnType, asked.fieldNodes, type, field)));
  return isSelected;
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
  return objectTypesOf(schema, returned).some((one) => {
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

function objectTypesOf(schema: GraphQLSchema, returned: GraphQLOutputType): readonly GraphQLObjectType[] {
  const named = getNamedType(returned);
  if (isObjectType(named)) return [named];
  return isAbstractType(named) ? schema.getPossibleTypes(named) : [];
}

/** The fields that are selected of an object, each with its nodes. */
function subfields(
  schema: GraphQLSchema,
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
  variableValues: Selected['variableValues'],
  type: GraphQLObjectType,
  fieldNodes: readonly FieldNode[],
): readonly (readonly FieldNode[])[] {
  return [...collectSubfields(schema, fragments, variableValues, type, [...fieldNodes]).values()];
}
