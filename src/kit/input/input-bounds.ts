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
import { formatCount } from '../base/format-count';

const declaration = z.strictObject({
  /** The greatest length of a text, or of each text of a list, in characters (UTF-16 code units). */
  maxLength: z.number().optional(),
  /** The greatest size of a text, or of each text of a list, in bytes of UTF-8. It is checked after `maxLength`. */
  maxBytes: z.number().optional(),
  /** The most graphemes that `checkedText` allows; it checks this in addition to `maxLength`. See `written`. */
  maxGraphemes: z.number().optional(),
  /** The greatest number of items of a list. */
  maxItems: z.number().optional(),
  /** The server limit that applies instead of `maxItems`; a longer list is `QUERY_TOO_LARGE`. */
  itemsLimit: z.enum(['nodes']).optional(),
});

/** The most that an argument or input field may hold. This is checked before any other code uses the value. */
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

/** The most marks on a letter of a text that a person writes: as many as the tallest stacks of Tibetan have. */
export const MAX_MARKS = 8;

/** The bounds of an id. */
export const ID_BOUNDS: Bounds = { maxLength: 100 };

/** The bounds of every value for which the schema declares none: dates, numbers, enum values. */
export const VALUE_BOUNDS: Bounds = { maxLength: 100 };

/**
 * Declares the bounds of an argument or input field, next to its `@Arg` or `@Field`. They are added to its description, and
 * a longer value is refused with `BAD_USER_INPUT` before the request is executed.
 *
 * @example
 * ```ts
 * @InputType()
 * class RoomInput {
 *   @Bounded({ maxLength: 100 })
 *   @Field(() => String)
 *   name!: string;
 * }
 * ```
 */
export function Bounded(bounds: Bounds): PropertyDecorator & ParameterDecorator {
  const given = Object.entries(bounds).map(([name, value]) => `${name}: ${value}`);
  return Directive(`@bounded(${given.join(', ')})`);
}

/** Adds the bounds to the schema, in `extensions` and descriptions. Throws if a text, id or list declares none. */
export function applyBounds(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields())) addBounds(`${type.name}.${field.name}`, field);
    if (isObjectType(type) || isInterfaceType(type))
      for (const field of Object.values(type.getFields()))
        for (const argument of field.args)
          addBounds(`${type.name}.${field.name}(${argument.name}:)`, argument);
  }
}

function addBounds(coordinate: string, input: GraphQLArgument | GraphQLInputField): void {
  const bounds = declaredBounds(input);
  const named = getNamedType(input.type);
  const type = getNullableType(input.type);
  const isText = named.name === 'String' || named.name === 'ID';
  const isList = isListType(type);
  if (isScalarType(named) && !isSpecifiedScalarType(named)) addScalarBounds(named);
  if (isList && isListType(getNullableType(type.ofType)))
    throw new Error(`${coordinate} must not be a list of lists, because maxItems bounds one list only.`);
  if ((isText && bounds?.maxLength === undefined) || isList !== (bounds?.maxItems !== undefined))
    throw new Error(
      `${coordinate} must declare its bounds by @Bounded: maxLength for a text or id, maxItems for a list.`,
    );
  if (bounds === undefined) return;
  input.extensions = { ...input.extensions, bounds };
  const sentence = `At most ${describeBounds(bounds)}.`;
  input.description = input.description == null ? sentence : `${input.description} ${sentence}`;
}

/** Schemas share scalars, so this adds the bounds to a scalar's description only once. */
function addScalarBounds(type: GraphQLScalarType): void {
  if (type.extensions.bounds !== undefined) return;
  type.extensions = { ...type.extensions, bounds: VALUE_BOUNDS };
  type.description = [type.description, `An argument has at most ${describeBounds(VALUE_BOUNDS)}.`].join(' ');
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

/** Formats bounds for descriptions: `20 items, each at most 50 graphemes and 1,000 characters`. */
export function describeBounds({ maxItems, maxGraphemes, maxLength, maxBytes }: Bounds): string {
  // A text has no more characters than bytes.
  const isSaidByBytes = maxBytes !== undefined && maxBytes === maxLength;
  const ofText = [
    maxGraphemes !== undefined && `${formatCount(maxGraphemes)} graphemes`,
    maxGraphemes !== undefined && `${MAX_MARKS} marks on a letter`,
    maxLength !== undefined && !isSaidByBytes && `${formatCount(maxLength)} characters`,
    maxBytes !== undefined && `${formatCount(maxBytes)} bytes of UTF-8`,
  ];
  const parts = ofText.filter((part) => part !== false);
  const last = parts.pop() ?? '';
  const text = parts.length === 0 ? last : `${parts.join(', ')} and ${last}`;
  if (maxItems === undefined) return text;
  return `${formatCount(maxItems)} items${text === '' ? '' : `, each at most ${text}`}`;
}
