import {
  type FieldNode,
  type FragmentDefinitionNode,
  getArgumentValues,
  getNamedType,
  GraphQLError,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  isAbstractType,
  isObjectType,
  type OperationDefinitionNode,
} from 'graphql';
import { refused, tooLarge } from '../base/errors';
import { askedOf, belowOf, checksOppositePage, itemsOf, passesOnArguments, type Below } from './asked';
import { FREE_SIZED, greatestOf, sizedSumOf, type SizedCost, type Cost } from './cost';
import {
  boundCostsOf,
  oppositePageCosts,
  share,
  tableCosts,
  type BoundCost,
  type SharedCosts,
  type TableCost,
} from './field-cost';
import type { CostArguments } from './reads';
import { createSelections, type Chosen } from './selections';
import { selects } from './selects';
import { ResultsByVariables, UsedVariables, type Variables } from './used-variables';

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
  /** The bytes that it sends to be stored, if it is a mutation. */
  readonly written?: number;
  /** How many of its bytes were read beyond what its lists show: see `withBytesRead`. */
  readonly reservedBytes?: number;
  /** The reads that its fields have reserved, if they have: see `withReserved`. */
  readonly reserved?: Reserved;
  /** How many fields the query has with all its fragments filled in: how much work it is to list them. */
  readonly size: number;
  /** The number of fields whose cost was computed. The costs of the others were known. */
  readonly computed: number;
  /**
   * Lists the fields that read. If a node may have several types, the fields of all are listed, but only the largest costs count. The
   * list is only made for those who ask for it, and then kept.
   */
  fields(this: void): readonly FieldCost[];
}

/**
 * The reads whose bound grows: those of a field, of a table. If the field bounds several tables together, the bound of all of them grows.
 */
export interface BoundedReads {
  readonly field: string;
  readonly table: string;
}

/** The reads that the fields of a query have reserved: one sum of each field and table. */
export interface Reserved {
  readonly sums: ReadonlyMap<string, { readonly of: BoundedReads; readonly more: Cost }>;
  /** Lists the fields without what they have reserved. */
  readonly fields: QueryCost['fields'];
}

/** An operation of a valid document, the document's fragments, and who asks. */
interface CostedOperation {
  readonly operation: OperationDefinitionNode;
  readonly fragments: Readonly<Record<string, FragmentDefinitionNode>>;
  /** Whether the caller is a person, from whom something may be hidden. */
  readonly isForPeople: boolean;
}

/** The maximum number of fields of a query with all its fragments filled in. Before validation, the fragments count as well. */
export const MAX_FIELDS = 10_000;

/** Creates the error for a query with more than `MAX_FIELDS` fields. */
export function tooManyFields() {
  return tooLarge(
    `A query may have ${MAX_FIELDS} fields with all its fragments filled in, but this one has more.`,
  );
}

/** The cost of one object with all that is below it. */
interface ObjectCost extends SizedCost {
  readonly nodes: number;
  readonly values: number;
  /** How many fields are written for it, with all fragments filled in. */
  readonly size: number;
  /** The reads that a request makes once, however many such objects there are. */
  readonly once: SharedCosts;
}

const NO_OBJECT: ObjectCost = { ...FREE_SIZED, nodes: 0, values: 0, size: 0, once: new Map() };

/** The variables that a cost is computed for, and what was computed for them so far. */
interface Computing {
  readonly variables: UsedVariables;
  readonly known: Map<string, ObjectCost>;
  computed: number;
}

/** A field with its arguments. */
interface AskedField {
  readonly name: string;
  readonly field: GraphQLField<unknown, unknown>;
  readonly asked: CostArguments;
  readonly reads: readonly BoundCost[];
  readonly below: Below;
}

type Above = Pick<Below, 'holds' | 'page'>;

const ROOT: Above = { holds: null, page: null };
const ROOT_KEY = '';

/** Computes how much an operation costs at most with some variables. */
export interface CostFunction {
  (variables: Variables): QueryCost;
  /** Whether that was computed before. */
  isKnown(this: void, variables: Variables): boolean;
}

/**
 * Creates the function that computes how much an operation costs at most, before anything is read, from its variables. What does not
 * depend on variables is computed once, and what depends on them once for each place where it is written, however many ways lead
 * there. Costs are remembered by the values of the variables that matter to them. The function throws `QUERY_TOO_LARGE` if the query has
 * more than `MAX_FIELDS` fields, because fragments can make a huge query of a short text, and `BAD_USER_INPUT` for an argument or a
 * condition that is null and must not be.
 */
export function createCostFunction(
  schema: GraphQLSchema,
  { operation, fragments, isForPeople }: CostedOperation,
): CostFunction {
  const root = schema.getRootType(operation.operation);
  const selections = createSelections(schema, operation, fragments);
  const isOfCaller = ({ bound }: BoundCost) => isForPeople || bound.isForPeople !== true;
  /** The costs that do not depend on variables. */
  const lasting = new Map<string, ObjectCost>();

  const askField = (
    type: GraphQLObjectType,
    nodes: readonly FieldNode[],
    { holds, page }: Above,
    variables: UsedVariables,
  ): AskedField | null => {
    const [node] = nodes;
    const field = node && type.getFields()[node.name.value];
    if (node === undefined || field === undefined) return null;
    const args =
      field.args.length === 0
        ? {}
        : variables.watchArguments(node, getArgumentValues(field, node, variables.values));
    const selected = {
      schema,
      fragments,
      variableValues: variables.watched,
      returnType: field.type,
      fieldNodes: nodes,
    };
    const asked = askedOf(field, args, holds, (ofType, name) => selects(selected, ofType, name));
    const name = `${type.name}.${field.name}`;
    const below = belowOf(name, field, asked, { holds, page });
    if (page === null || !checksOppositePage(field.name, page))
      return { name, field, asked, reads: boundCostsOf(field, asked).filter(isOfCaller), below };
    return { name: page.field, field, asked, reads: oppositePageCosts(page.bounds, page.asked), below };
  };

  const objectCost = (
    type: GraphQLObjectType,
    chosen: Chosen,
    above: Above,
    computing: Computing,
  ): ObjectCost => {
    const total = { ...NO_OBJECT, once: new Map<string, SizedCost>() };
    const ofObject: SharedCosts = new Map();
    for (const nodes of chosen.values()) {
      total.size++;
      // `__typename` counts, too: it reads nothing, but a query may ask for it under thousands of aliases.
      total.values++;
      computing.computed++;
      const asked = askField(type, nodes, above, computing.variables);
      if (asked === null) continue;
      total.nodes += itemsOf(asked.field, asked.asked);
      for (const { bound, cost } of asked.reads)
        if (bound.scope === undefined) add(total, cost);
        else share(bound.scope === 'object' ? ofObject : total.once, bound.table, cost);
      const below = costBelow(type, asked, nodes, computing);
      addObjects(total, below, asked.below.count);
      if (total.size > MAX_FIELDS) throw tooManyFields();
      // A mutation forgets the reads before it, so the request makes its shared reads again.
      if (type === schema.getMutationType()) addOnce(total);
    }
    for (const cost of ofObject.values()) add(total, cost);
    return total;
  };

  const rootCost = (type: GraphQLObjectType, computing: Computing): ObjectCost => {
    const known = selections.hasVariablesBelow([operation]) ? computing.known : lasting;
    let cost = known.get(ROOT_KEY);
    if (cost === undefined) {
      cost = objectCost(type, selections.ofRoot(type, computing.variables.watched), ROOT, computing);
      known.set(ROOT_KEY, cost);
    }
    return cost;
  };

  /** The cost of an object that a field returns. If it may have several types, the greatest cost in each unit. */
  const costBelow = (
    type: GraphQLObjectType,
    { field, below }: AskedField,
    nodes: readonly FieldNode[],
    computing: Computing,
  ): ObjectCost => {
    const possible = objectTypesOf(field);
    if (possible.length === 0) return NO_OBJECT;
    const compute = () =>
      possible
        .map((one) =>
          objectCost(one, selections.of(one, nodes, computing.variables.watched), below, computing),
        )
        .reduce(greaterOf);
    // The fields of `pageInfo` depend on the page of the connection, too.
    if (below.page !== null && !passesOnArguments(field)) return compute();
    const varies =
      selections.hasVariablesBelow(nodes) || (passesOnArguments(field) && selections.hasVariables(nodes));
    const known = varies ? computing.known : lasting;
    const key = selections.keyOf(type, nodes);
    let cost = known.get(key);
    if (cost === undefined) known.set(key, (cost = compute()));
    return cost;
  };

  const listFields = (variables: UsedVariables): readonly FieldCost[] => {
    const fields: FieldCost[] = [];
    const ofRequest: SharedCosts = new Map();
    const list = (type: GraphQLObjectType, chosen: Chosen, above: Above, path: string, times: number) => {
      const ofObject: SharedCosts = new Map();
      for (const [key, nodes] of chosen) {
        const asked = askField(type, nodes, above, variables);
        if (asked === null) continue;
        const { name, field, below } = asked;
        const own = path === '' ? key : `${path}.${key}`;
        const tables = tableCosts(asked.reads, times, ofObject, ofRequest);
        if (tables.length > 0) fields.push({ path: own, field: name, times, ...sizedSumOf(tables), tables });
        for (const one of objectTypesOf(field))
          list(one, selections.of(one, nodes, variables.watched), below, own, times * below.count);
        if (type === schema.getMutationType()) ofRequest.clear();
      }
    };
    if (root) list(root, selections.ofRoot(root, variables.watched), ROOT, '', 1);
    return fields;
  };

  const objectTypesOf = (field: GraphQLField<unknown, unknown>): readonly GraphQLObjectType[] => {
    const type = getNamedType(field.type);
    return isObjectType(type) ? [type] : isAbstractType(type) ? schema.getPossibleTypes(type) : [];
  };

  const totalCost = (variables: UsedVariables) => {
    const computing = { variables, known: new Map<string, ObjectCost>(), computed: 0 };
    const total = { ...NO_OBJECT, once: new Map<string, SizedCost>() };
    try {
      if (root) addObjects(total, rootCost(root, computing), 1);
    } catch (error) {
      // The error of graphql-js for an argument or a condition that is null has no code.
      const hasCode = !(error instanceof GraphQLError) || error.extensions['code'] !== undefined;
      throw hasCode ? error : refused(error.message);
    }
    addOnce(total);
    const { once: _once, ...cost } = total;
    return { ...cost, computed: computing.computed };
  };

  const totals = new ResultsByVariables<ReturnType<typeof totalCost>>(operation);
  const costOf = (variables: Variables): QueryCost => {
    const { result, isKnown } = totals.get(variables, totalCost);
    const { computed } = result;
    let listed: readonly FieldCost[] | undefined;
    return {
      ...result,
      computed: isKnown ? 0 : computed,
      fields: () => (listed ??= listFields(new UsedVariables(variables))),
    };
  };
  return Object.assign(costOf, { isKnown: (variables: Variables) => totals.has(variables) });
}

type Sum<T> = { -readonly [Key in keyof T]: T[Key] };

function add(sum: Sum<SizedCost>, { reads, rows, bytes }: SizedCost, times = 1): void {
  sum.reads += reads * times;
  sum.rows += rows * times;
  sum.bytes += bytes * times;
}

/** Adds so many objects. They share the reads that the request makes only once. */
function addObjects(sum: Sum<ObjectCost>, object: ObjectCost, count: number): void {
  add(sum, object, count);
  sum.nodes += object.nodes * count;
  sum.values += object.values * count;
  sum.size += object.size;
  for (const [table, cost] of object.once) share(sum.once, table, cost);
}

/** Adds the reads that the request makes once, and lets it make them again from here on. */
function addOnce(sum: Sum<ObjectCost>): void {
  for (const cost of sum.once.values()) add(sum, cost);
  sum.once.clear();
}

/** Returns the greater of two costs, in each unit. The shared reads, and the fields that are written, count of both. */
function greaterOf(a: ObjectCost, b: ObjectCost): ObjectCost {
  const once: SharedCosts = new Map(a.once);
  for (const [table, cost] of b.once) share(once, table, cost);
  return {
    ...greatestOf(a, b),
    nodes: Math.max(a.nodes, b.nodes),
    values: Math.max(a.values, b.values),
    size: a.size + b.size,
    once,
  };
}
