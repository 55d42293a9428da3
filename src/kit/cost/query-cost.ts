import {
  type FieldNode,
  type FragmentDefinitionNode,
  getArgumentValues,
  getNamedType,
  getNullableType,
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  isAbstractType,
  isListType,
  isObjectType,
  type OperationDefinitionNode,
} from 'graphql';
import { collectFields, collectSubfields } from 'graphql/execution/collectFields';
import { refused, tooLarge } from '../base/errors';
import { cursorIn, DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE, type ConnectionArguments } from '../input/page-args';
import { FREE_SIZED, greaterOf, sizedSumOf, type SizedCost, type Cost } from './cost';
import { createFieldReads, type TableCost, unlessRefused } from './field-cost';
import { type CostArguments, boundsOf, declarationOf, type TableBound } from './reads';
import { selects } from './selects';

/** How much a field of a query costs at most. */
export interface FieldCost extends SizedCost {
  /** Its path in the answer, without list indexes: `user.timeline.nodes.author`. */
  readonly path: string;
  /** Its name in the schema: `Tweet.author`. */
  readonly field: string;
  /** How often it is resolved at most: the product of the page sizes above it. */
  readonly times: number;
  readonly tables: readonly TableCost[];
  /** How much of it the field has reserved while it was read: see `Reserve`. */
  readonly reserved?: Cost;
}

/** How much a query costs at most. */
export interface QueryCost extends SizedCost {
  /** The items of all its lists. As at GitHub, nested lists count with the product of their page sizes. */
  readonly nodes: number;
  /** The fields of its answer, each once for each object that has it: the work of building the answer, whatever is read. */
  readonly values: number;
  /** The fields that read. If a node may have several types, the fields of all are listed, but only the largest costs count. */
  readonly fields: readonly FieldCost[];
}

/** An operation and everything that its cost depends on. */
interface Costed {
  readonly operation: OperationDefinitionNode;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  /** The coerced values of its variables. */
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The maximum number of fields of a query with all its fragments filled in. Before validation, the fragments count as well. */
export const MAX_FIELDS = 10_000;

/** Creates the error for a query with more than `MAX_FIELDS` fields. */
export function tooManyFields() {
  return tooLarge(
    `A query may have ${MAX_FIELDS} fields with all its fragments filled in, but this one has more.`,
  );
}

/** What a field passes on to the fields below it. */
interface Above {
  readonly path: string;
  /** How many such objects the answer has at most. */
  readonly times: number;
  /** How many items the lists of this object have, if a field above has declared it (`HoldsItems`). */
  readonly holds: number | null;
  /** The page of a connection that this object describes; its `pageInfo` may read to answer. */
  readonly page: Page | null;
}

interface Page {
  readonly field: string;
  readonly bounds: readonly TableBound[];
  readonly asked: CostArguments;
}

type Totals = Omit<QueryCost, 'fields'>;

const NOTHING: Totals = { ...FREE_SIZED, nodes: 0, values: 0 };

/**
 * Computes how much an operation costs at most, before anything is read. Throws `QUERY_TOO_LARGE` if the query has more than
 * `MAX_FIELDS` fields, because fragments can make a huge query of a short text, and `BAD_USER_INPUT` for an argument or a
 * condition that is null and must not be.
 */
export function costOf(schema: GraphQLSchema, { operation, fragments, variables }: Costed): QueryCost {
  const fields: FieldCost[] = [];
  const reads = createFieldReads();
  let visited = 0;

  const objectCost = (
    type: GraphQLObjectType,
    chosen: ReadonlyMap<string, readonly FieldNode[]>,
    above: Above,
  ): Totals => {
    const { page } = above;
    const own = reads.ofObject(above.times);
    let total = NOTHING;
    for (const [key, nodes] of chosen) {
      if (++visited > MAX_FIELDS) throw tooManyFields();
      const [node] = nodes;
      const field = node && type.getFields()[node.name.value];
      if (node === undefined || field === undefined) continue;
      const args = field.args.length === 0 ? {} : getArgumentValues(field, node, variables);
      const selected = {
        schema,
        fragments,
        variableValues: variables,
        returnType: field.type,
        fieldNodes: nodes,
      };
      const asked = askedOf(field, args, above.holds, (ofType, name) => selects(selected, ofType, name));
      const path = above.path === '' ? key : `${above.path}.${key}`;
      const checksOpposite = page !== null && checksOppositePage(field.name, page);
      const { tables, repeated } = checksOpposite
        ? own.oppositePageCost(page.bounds, page.asked)
        : own.cost(field, asked);
      if (tables.length > 0) {
        const name = checksOpposite ? page.field : `${type.name}.${field.name}`;
        fields.push({ path, field: name, times: above.times, ...sizedSumOf(tables), tables });
      }
      const below = belowOf(type, field, asked, { ...above, path });
      const counted = { ...repeated, nodes: itemsOf(field, asked, above.times), values: above.times };
      total = add(total, add(counted, typeCost(field, nodes, below)));
      if (type === schema.getMutationType()) reads.forget();
    }
    return total;
  };

  /** The cost of the objects that a field returns. If they may have several types, the greatest cost in each unit. */
  const typeCost = (
    field: GraphQLField<unknown, unknown>,
    nodes: readonly FieldNode[],
    above: Above,
  ): Totals => {
    const type = getNamedType(field.type);
    const possible = isObjectType(type) ? [type] : isAbstractType(type) ? schema.getPossibleTypes(type) : [];
    return possible
      .map((one) => objectCost(one, collectSubfields(schema, fragments, variables, one, [...nodes]), above))
      .reduce(
        (a, b) => ({
          ...greaterOf(a, b),
          bytes: Math.max(a.bytes, b.bytes),
          nodes: Math.max(a.nodes, b.nodes),
          values: Math.max(a.values, b.values),
        }),
        NOTHING,
      );
  };

  const root = schema.getRootType(operation.operation);
  if (root == null) return { ...NOTHING, fields };
  try {
    const selected = collectFields(schema, fragments, variables, root, operation.selectionSet);
    const total = objectCost(root, selected, { path: '', times: 1, holds: null, page: null });
    return { ...total, ...sizedSumOf([total, reads.once()]), fields };
  } catch (error) {
    // What graphql-js throws of an argument or a condition that is null has no code.
    const hasCode = !(error instanceof GraphQLError) || error.extensions['code'] !== undefined;
    throw hasCode ? error : refused(error.message);
  }
}

function add(a: Totals, b: Totals): Totals {
  return { ...sizedSumOf([a, b]), nodes: a.nodes + b.nodes, values: a.values + b.values };
}

/** What a field passes on to the objects that it returns. */
function belowOf(
  type: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
  asked: CostArguments,
  { path, times, holds, page }: Above,
): Above {
  const { items, holds: itemsBelow } = declarationOf(field);
  const count = !isList(field) ? 1 : items ? asked.limit : (holds ?? 1);
  const name = `${type.name}.${field.name}`;
  if (isConnection(field))
    return { path, times, holds: asked.limit, page: { field: name, bounds: boundsOf(field), asked } };
  const isPageInfo = getNamedType(field.type).name === 'PageInfo';
  return {
    path,
    times: times * count,
    holds: itemsBelow ? unlessRefused(() => itemsBelow(asked.args), 0) : null,
    // A connection passes its page on to its `pageInfo` and to no other field.
    page: isPageInfo ? page : null,
  };
}

/**
 * The arguments of a field, and how many items its page or list has at most: 0 if the resolver refuses the arguments. A page
 * that is too large counts as the largest that there may be. Its resolver refuses it, and says how large a page may be. By default
 * everything counts as selected.
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

/** How many items a field adds to the answer: those of its list, for each object that has the field. */
function itemsOf(field: GraphQLField<unknown, unknown>, { limit }: CostArguments, times: number): number {
  return isConnection(field) || declarationOf(field).items ? times * limit : 0;
}

function requestedSize(field: GraphQLField<unknown, unknown>, args: CostArguments['args']): number {
  const byDefault = field.args.find(({ name }) => name === 'first')?.defaultValue ?? DEFAULT_PAGE_SIZE;
  return Number(args['first'] ?? args['last'] ?? byDefault);
}

/** Whether a field of `pageInfo` needs a read of its own: `hasPreviousPage` after a cursor, and `hasNextPage` before one. */
function checksOppositePage(field: string, { asked: { args } }: Page): boolean {
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
