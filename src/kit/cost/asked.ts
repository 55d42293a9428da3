import { getNamedType, getNullableType, isListType, isObjectType, type GraphQLField } from 'graphql';
import { cursorIn, DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, type ConnectionArguments } from '../input/page-args';
import { unlessRefused } from './field-cost';
import { boundsOf, declarationOf, type CostArguments, type TableBound } from './reads';

/** The page of a connection, for the fields of its `pageInfo`, which may read to answer. */
interface AskedPage {
  /** The name of the field that returns the connection. */
  readonly field: string;
  readonly bounds: readonly TableBound[];
  readonly asked: CostArguments;
}

/** The sizes that a field passes on to the fields of the objects that it returns. */
export interface Below {
  /** How many objects the field returns at most. */
  readonly count: number;
  /** How many items the lists of such an object have, if this field has declared it (`HoldsItems`). */
  readonly holds: number | null;
  /** The page of a connection that such an object describes. */
  readonly page: AskedPage | null;
}

/**
 * Returns the arguments of a field, and how many items its page or list has at most: 0 if the resolver refuses the arguments. A page that
 * is too large counts as the largest that there may be. Its resolver refuses it, and says how large a page may be. By default everything
 * counts as selected.
 */
export function askedOf(
  field: GraphQLField<unknown, unknown>,
  args: CostArguments['args'],
  holds: number | null,
  selectsField: CostArguments['selects'] = () => true,
): CostArguments {
  const { items } = declarationOf(field);
  const limit = items
    ? unlessRefused(() => items(args, holds), 0)
    : isConnection(field)
      ? Math.min(Math.max(requestedSize(field, args), 0), MAX_PAGE_SIZE)
      : (holds ?? DEFAULT_PAGE_SIZE);
  return { args, limit, selects: selectsField };
}

/** A field's arguments: the given ones, and the defaults of the others. */
export function askedByDefault(
  field: GraphQLField<unknown, unknown>,
  given: CostArguments['args'],
): CostArguments {
  const defaults = field.args.flatMap(({ name, defaultValue }) =>
    defaultValue === undefined ? [] : [[name, defaultValue] as const],
  );
  return askedOf(field, { ...Object.fromEntries(defaults), ...given }, null);
}

/**
 * Returns the sizes that a field passes on to the objects that it returns; `holds` and `page` are those that the field above has passed on.
 */
export function belowOf(
  name: string,
  field: GraphQLField<unknown, unknown>,
  asked: CostArguments,
  { holds, page }: Pick<Below, 'holds' | 'page'>,
): Below {
  if (isConnection(field))
    return { count: 1, holds: asked.limit, page: { field: name, bounds: boundsOf(field), asked } };
  const { items, holds: itemsBelow } = declarationOf(field);
  const isPageInfo = getNamedType(field.type).name === 'PageInfo';
  return {
    count: !isList(field) ? 1 : items ? asked.limit : (holds ?? 1),
    holds: itemsBelow ? unlessRefused(() => itemsBelow(asked.args), 0) : null,
    // A connection passes its page on to its `pageInfo` and to no other field.
    page: isPageInfo ? page : null,
  };
}

/** Whether what a field passes on depends on its arguments. */
export function passesOnArguments(field: GraphQLField<unknown, unknown>): boolean {
  return isConnection(field) || declarationOf(field).holds !== undefined;
}

/** How many items a field adds to the answer: those of its list, for each object that has the field. */
export function itemsOf(field: GraphQLField<unknown, unknown>, { limit }: CostArguments): number {
  return isConnection(field) || declarationOf(field).items ? limit : 0;
}

function requestedSize(field: GraphQLField<unknown, unknown>, args: CostArguments['args']): number {
  const byDefault = field.args.find(({ name }) => name === 'first')?.defaultValue ?? DEFAULT_PAGE_SIZE;
  return Number(args['first'] ?? args['last'] ?? byDefault);
}

/** Whether a field of `pageInfo` needs a read of its own: `hasPreviousPage` after a cursor, and `hasNextPage` before one. */
export function checksOppositePage(field: string, { asked: { args } }: AskedPage): boolean {
  const { after, before }: ConnectionArguments = args;
  if (field === 'hasPreviousPage') return cursorIn(after) !== null;
  return field === 'hasNextPage' && cursorIn(before) !== null;
}

function isList({ type }: GraphQLField<unknown, unknown>): boolean {
  return isListType(getNullableType(type));
}

/** Whether a field returns a page of a list (GraphQL Cursor Connections Specification). */
export function isConnection(field: GraphQLField<unknown, unknown>): boolean {
  const type = getNamedType(field.type);
  return isObjectType(type) && 'pageInfo' in type.getFields();
}
