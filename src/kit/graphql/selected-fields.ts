import {
  isAbstractType,
  isObjectType,
  Kind,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type SelectionNode,
} from 'graphql';

/** A field that a query selects. */
interface SelectedField {
  readonly node: FieldNode;
  /** Whether a directive, of the field or of a fragment that it stands in, may leave it out of the answer. */
  readonly mayBeLeftOut: boolean;
}

type Asked = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments' | 'schema'>;

/** The fields found before, by type, by the nodes of the field: graphql-jit gives the same ones each time that it runs an operation. */
const cached = new WeakMap<GraphQLResolveInfo['fieldNodes'], Map<string, readonly SelectedField[]>>();

/** The fields that a query selects of the objects of a type, which a field returns; also those that stand in fragments. */
export function selectedFields(asked: Asked, type: string): readonly SelectedField[] {
  const ofTypes = cached.get(asked.fieldNodes) ?? new Map<string, readonly SelectedField[]>();
  cached.set(asked.fieldNodes, ofTypes);
  const fields = ofTypes.get(type) ?? collectFields(asked, objectType(asked.schema, type));
  ofTypes.set(type, fields);
  return fields;
}

/** Each named fragment is looked at once. Otherwise fragments that use each other twice would take exponential time. */
function collectFields({ fieldNodes, fragments, schema }: Asked, type: GraphQLObjectType): SelectedField[] {
  const fields: SelectedField[] = [];
  const seen = new Set<string>();
  const collect = (selections: readonly SelectionNode[], mayAllBeLeftOut: boolean) => {
    for (const selection of selections) {
      const mayBeLeftOut = mayAllBeLeftOut || (selection.directives ?? []).length > 0;
      if (selection.kind === Kind.FIELD) {
        fields.push({ node: selection, mayBeLeftOut });
        continue;
      }
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        if (seen.has(selection.name.value)) continue;
        seen.add(selection.name.value);
      }
      const fragment = selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments[selection.name.value];
      if (fragment && applies(schema, fragment.typeCondition?.name.value, type))
        collect(fragment.selectionSet.selections, mayBeLeftOut);
    }
  };
  // The nodes of one field may be several, which are merged.
  for (const { selectionSet } of fieldNodes) collect(selectionSet?.selections ?? [], false);
  return fields;
}

/** Whether a fragment with a condition applies to objects of a type. */
function applies(schema: GraphQLSchema, condition: string | undefined, type: GraphQLObjectType): boolean {
  if (condition === undefined || condition === type.name) return true;
  const conditionType = schema.getType(condition);
  return isAbstractType(conditionType) && schema.isSubType(conditionType, type);
}

/** The object type with a name. */
export function objectType(schema: GraphQLSchema, name: string): GraphQLObjectType {
  const type = schema.getType(name);
  if (!isObjectType(type)) throw new Error(`${name} must be an object type, but is not.`);
  return type;
}
