import {
  type DocumentNode,
  type FragmentDefinitionNode,
  getNamedType,
  getNullableType,
  type GraphQLInputType,
  type GraphQLSchema,
  isInputObjectType,
  isLeafType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  type ValueNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { refused, tooLarge } from '../base/errors';
import { type Bounds, VALUE_BOUNDS } from '../input/input-bounds';
import { lengthRule } from '../input/input-text';
import { detailsOf } from '../input/name-arguments';

/** The limits of a server that replace a list's own bound. */
type InputLimits = Readonly<Record<NonNullable<Bounds['itemsLimit']>, number>>;

/**
 * Throws `BAD_USER_INPUT`, with the argument and the limit, if a value of an operation exceeds its bounds; `QUERY_TOO_LARGE`
 * if a list exceeds a limit of the server.
 */
type InputCheck = (
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Readonly<Record<string, unknown>>,
) => void;

/** A position in the schema that takes a value: an argument, an input field or an item of a list. */
interface InputPosition {
  readonly type: GraphQLInputType;
  readonly bounds: Bounds;
  readonly key: string | number;
  readonly parent: InputPosition | null;
}

/** A variable, and a position that takes its value. */
interface Use {
  readonly variable: string;
  readonly position: InputPosition;
}

/**
 * Creates the check of a schema's operations. Values that are written in the document are checked once. For variables the
 * check remembers in which positions an operation uses them, so that each further request only has to check their values.
 */
export function createInputCheck(schema: GraphQLSchema, limits: InputLimits): InputCheck {
  // An operation belongs to one parsed document, so it identifies everything that the uses depend on.
  const cached = new WeakMap<OperationDefinitionNode, readonly Use[]>();
  return (document, operation, variables) => {
    let uses = cached.get(operation);
    if (uses === undefined) {
      uses = checkDocument(schema, limits, document, operation);
      cached.set(operation, uses);
    }
    for (const { variable, position } of uses) checkValue(limits, variables[variable], position);
  };
}

/** Checks the values that are written in an operation and its fragments, and returns where they use variables. */
function checkDocument(
  schema: GraphQLSchema,
  limits: InputLimits,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): readonly Use[] {
  const fragments = new Map(
    document.definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [],
    ),
  );
  const defaults = new Map(
    (operation.variableDefinitions ?? []).map((node) => [node.variable.name.value, node.defaultValue]),
  );
  const uses = new Map<string, Use>();
  const reached = new Set<OperationDefinitionNode | FragmentDefinitionNode>([operation]);
  // The set grows while it is walked: fragments are added when a spread reaches them.
  for (const definition of reached) {
    const typeInfo = new TypeInfo(schema);
    const onVariable = (variable: string, position: InputPosition) => {
      // A hundred fields of one type and name have the same position. In another type, the same name may have other bounds.
      const key = `${variable} ${typeInfo.getParentType()?.name ?? ''} ${describePath(position)}`;
      if (uses.has(key)) return;
      uses.set(key, { variable, position });
      const byDefault = defaults.get(variable);
      if (byDefault) checkLiteral(limits, byDefault, position, onVariable);
    };
    const visitor = visitWithTypeInfo(typeInfo, {
      FragmentSpread({ name }) {
        const fragment = fragments.get(name.value);
        if (fragment) reached.add(fragment);
      },
      Argument({ value }) {
        const argument = typeInfo.getArgument();
        const owner = typeInfo.getDirective() ?? typeInfo.getFieldDef();
        if (argument && owner) {
          const { name: key, type, extensions } = argument;
          const name = owner === typeInfo.getDirective() ? `@${owner.name}` : owner.name;
          const field = { type, bounds: VALUE_BOUNDS, key: name, parent: null };
          const position = { type, bounds: extensions.bounds ?? VALUE_BOUNDS, key, parent: field };
          checkLiteral(limits, value, position, onVariable);
        }
        return false;
      },
    });
    visit(definition, visitor);
  }
  return [...uses.values()];
}

/** Checks a value of the document, and calls `onVariable` for each variable in it. */
function checkLiteral(
  limits: InputLimits,
  node: ValueNode,
  position: InputPosition,
  onVariable: (name: string, position: InputPosition) => void,
): void {
  if (node.kind === Kind.VARIABLE) {
    onVariable(node.name.value, position);
  } else if (node.kind === Kind.LIST) {
    checkCount(limits, node.values.length, position);
    for (const [n, value] of node.values.entries())
      checkLiteral(limits, value, itemPosition(position, n), onVariable);
  } else if (node.kind === Kind.OBJECT) {
    checkFields(node.fields.length, position);
    for (const { name, value } of node.fields) {
      const field = fieldPosition(position, name.value);
      if (field) checkLiteral(limits, value, field, onVariable);
    }
  } else if (node.kind !== Kind.NULL && node.kind !== Kind.BOOLEAN) {
    checkLength(node.value, position);
  }
}

/** Checks a variable's value, which may have any form: whether it has the right type is checked later. */
function checkValue(limits: InputLimits, value: unknown, position: InputPosition): void {
  if (typeof value === 'string') {
    checkLength(value, position);
  } else if (isLeafType(getNamedType(position.type)) && isNested(value, position)) {
    // The error about its type would print the value, and printing a deeply nested value overflows the stack.
    throw refuse(
      position,
      `must be of type ${String(position.type)}, but got: ${Array.isArray(value) ? 'a list' : 'an object'}`,
    );
  } else if (Array.isArray(value) && isListType(getNullableType(position.type))) {
    const items: readonly unknown[] = value;
    checkCount(limits, items.length, position);
    for (const [n, item] of items.entries()) checkValue(limits, item, itemPosition(position, n));
  } else if (typeof value === 'object' && value !== null && findInputObject(position)) {
    const given = Object.entries(value);
    checkFields(given.length, position);
    for (const [name, inner] of given) {
      const field = fieldPosition(position, name);
      // A value that was not checked must not get any further, because printing a deeply nested value overflows the stack.
      if (!field) throw refuse(position, `has no field ${JSON.stringify(name.slice(0, 100))}.`);
      checkValue(limits, inner, field);
    }
  }
}

/** Whether a value is a list or an object although its type allows neither. */
function isNested(value: unknown, { type }: InputPosition): boolean {
  const isAllowed = Array.isArray(value) && isListType(getNullableType(type));
  return typeof value === 'object' && value !== null && !isAllowed;
}

function itemPosition(position: InputPosition, key: number): InputPosition {
  const type = getNullableType(position.type);
  return { type: isListType(type) ? type.ofType : type, bounds: position.bounds, key, parent: position };
}

function fieldPosition(position: InputPosition, key: string): InputPosition | null {
  const type = findInputObject(position);
  const field = type?.getFields()[key];
  return field
    ? { type: field.type, bounds: field.extensions.bounds ?? VALUE_BOUNDS, key, parent: position }
    : null;
}

/** The input type of an object at a position. An object that is given where a list is expected is the list's only item. */
function findInputObject({ type: given }: InputPosition) {
  const type = getNullableType(given);
  const item = getNullableType(isListType(type) ? type.ofType : type);
  return isInputObjectType(item) ? item : null;
}

function checkLength(text: string, position: InputPosition): void {
  const { maxLength = VALUE_BOUNDS.maxLength ?? 0, maxBytes = 3 * maxLength } = position.bounds;
  const rule = lengthRule(text, maxLength, maxBytes);
  if (rule !== null) throw refuse(position, rule);
}

function checkCount(limits: InputLimits, count: number, position: InputPosition): void {
  const { maxItems, itemsLimit } = position.bounds;
  if (itemsLimit !== undefined) {
    if (count > limits[itemsLimit])
      throw tooLarge(
        `${describePath(position)} must have at most ${limits[itemsLimit]} items, but got ${count}.`,
      );
  } else if (maxItems !== undefined && count > maxItems)
    throw refuse(position, `must have at most ${maxItems} items, but got ${count}.`);
}

/** Refuses more fields than the type has: graphql-js would compare each unknown one with all known ones, for a hint. */
function checkFields(count: number, position: InputPosition): void {
  const type = findInputObject(position);
  const maxFields = type ? Object.keys(type.getFields()).length : 0;
  if (type && count > maxFields)
    throw refuse(position, `must have at most ${maxFields} fields, but got ${count}.`);
}

function refuse(position: InputPosition, rule: string) {
  const path = describePath(position);
  return refused(`${path} ${rule}`, 'BAD_USER_INPUT', detailsOf(path));
}

/** A position as messages name it: `publishArticle.input.tags[3]`. */
function describePath({ key, parent }: InputPosition): string {
  if (parent === null) return String(key);
  return typeof key === 'number' ? `${describePath(parent)}[${key}]` : `${describePath(parent)}.${key}`;
}
