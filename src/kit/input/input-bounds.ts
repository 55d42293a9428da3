import 'reflect-metadata';
import {
  getNamedType,
  getNullableType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  valueFromASTUntyped,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLScalarType,
  type GraphQLSchema,
} from 'graphql';
import { Directive } from 'type-graphql';
import { z } from 'zod';

const declaration = z.strictObject({
  /** The greatest length of a text, or of each text of a list, in characters: UTF-16 code units. */
  maxLength: z.number().optional(),
  /** What `writtenText` allows, beside `maxLength`; see `written`. */
  maxGraphemes: z.number().optional(),
  /** The greatest number of items of a list. */
  maxItems: z.number().optional(),
  /** The limit of the server that takes the place of `maxItems`; a list that is longer is `QUERY_TOO_LARGE`. */
  itemsLimit: z.enum(['nodes']).optional(),
});

/** The most that an argument or input field may hold. It is checked before anything else looks at the value. */
export type Bounds = Readonly<z.infer<typeof declaration>>;

declare module 'graphql' {
  interface GraphQLArgumentExtensions {
    bounds?: Bounds;
  }
  interface GraphQLInputFieldExtensions {
    bounds?: Bounds;
  }
  interface GraphQLScalarTypeExtensions {
    bounds?: Bounds;
  }
}

/** The bounds of an id. */
export const ID_BOUNDS: Bounds = { maxLength: 100 };

/** The bounds of any value of which the schema says no others: dates, numbers, names of an enum. */
export const VALUE_BOUNDS: Bounds = { maxLength: 100 };

/**
 * Declares the bounds of an argument or input field: it stands beside `@Arg` or `@Field`. Its description says them, and
 * what is longer is refused with `BAD_USER_INPUT` before the request is executed.
 */
export function Bounded(bounds: Bounds): PropertyDecorator & ParameterDecorator {
  const given = Object.entries(bounds).map(([name, value]) => `${name}: ${value}`);
  return Directive(`@bounded(${given.join(', ')})`);
}

/** Puts the bounds into the schema, in `extensions` and descriptions. Throws for a text, id or list without any. */
export function applyBounds(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields())) bound(`${type.name}.${field.name}`, field);
    if (isObjectType(type) || isInterfaceType(type))
      for (const field of Object.values(type.getFields()))
        for (const argument of field.args) bound(`${type.name}.${field.name}(${argument.name}:)`, argument);
  }
}

function bound(coordinate: string, input: GraphQLArgument | GraphQLInputField): void {
  const bounds = declaredBounds(input);
  const named = getNamedType(input.type);
  const type = getNullableType(input.type);
  const isText = named.name === 'String' || named.name === 'ID';
  const isList = isListType(type);
  if (isScalarType(named) && !isSpecifiedScalarType(named)) boundScalar(named);
  if (isList && isListType(getNullableType(type.ofType)))
    throw new Error(
      `${coordinate} must not be a list of lists: its bounds would not say the count of items.`,
    );
  if ((isText && bounds?.maxLength === undefined) || isList !== (bounds?.maxItems !== undefined))
    throw new Error(
      `${coordinate} must say by @Bounded what it may hold: maxLength of a text or id, maxItems of a list.`,
    );
  if (bounds === undefined) return;
  input.extensions = { ...input.extensions, bounds };
  const said = `At most ${saidBounds(bounds)}.`;
  input.description = input.description == null ? said : `${input.description} ${said}`;
}

/** A scalar is shared by schemas: its description is written once. */
function boundScalar(type: GraphQLScalarType): void {
  if (type.extensions.bounds !== undefined) return;
  type.extensions = { ...type.extensions, bounds: VALUE_BOUNDS };
  type.description = [type.description, `An argument has at most ${saidBounds(VALUE_BOUNDS)}.`].join(' ');
}

function declaredBounds({ astNode }: GraphQLArgument | GraphQLInputField): Bounds | undefined {
  const directive = astNode?.directives?.find(({ name }) => name.value === 'bounded');
  return (
    directive &&
    declaration.parse(
      Object.fromEntries(
        (directive.arguments ?? []).map(({ name, value }) => [name.value, valueFromASTUntyped(value)]),
      ),
    )
  );
}

/** Bounds as descriptions say them: `20 items, each at most 50 graphemes and 1,000 characters`. */
export function saidBounds({ maxItems, maxGraphemes, maxLength }: Bounds): string {
  const ofText = [
    maxGraphemes !== undefined && `${counted(maxGraphemes)} graphemes`,
    maxLength !== undefined && `${counted(maxLength)} characters`,
  ];
  const text = ofText.filter(Boolean).join(' and ');
  if (maxItems === undefined) return text;
  return `${counted(maxItems)} items${text === '' ? '' : `, each at most ${text}`}`;
}

function counted(count: number): string {
  return count.toLocaleString('en');
}
