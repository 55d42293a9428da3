import {
  type DocumentNode,
  getVariableValues,
  type GraphQLSchema,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  visit,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { refused, tooLarge } from '../base/errors';
import { messageOfVariable } from '../input/name-arguments';
import { unitNames } from './cost';
import { costOf, isConnection, type QueryCost } from './query-cost';
import { boundsOf, declarationOf } from './reads';

/** How much a query may cost at most. */
export interface CostLimits {
  readonly reads: number;
  readonly rows: number;
  /** The bytes of large values. */
  readonly bytes: number;
  /** The items of all lists together. */
  readonly nodesAtWorst: number;
  /** The fields of the answer; a field counts once for each object that has it. */
  readonly values: number;
}

/** The parts of a request that its cost depends on. */
interface CostRequest {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** Identifies the document. */
  readonly queryHash: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The size of each cache, in characters of keys and paths; of costs, each field and table counts as 50 more. */
const MAX_REMEMBERED_CHARACTERS = 8_000_000;

/**
 * Creates the function that computes and caches the costs of queries. The function throws `BAD_USER_INPUT` if the value of a
 * variable does not have the variable's type.
 */
export function createCosting(schema: GraphQLSchema): (request: CostRequest) => QueryCost {
  const variableFields = fieldsWhoseCostVaries(schema);
  const relevant = new LRUCache<string, readonly string[]>({
    maxSize: MAX_REMEMBERED_CHARACTERS,
    sizeCalculation: (names, key) => key.length + names.join('').length,
  });
  const costs = new LRUCache<string, QueryCost>({
    maxSize: MAX_REMEMBERED_CHARACTERS,
    sizeCalculation: ({ fields }, key) =>
      fields.reduce((sum, { path, tables }) => sum + path.length + 50 * (1 + tables.length), key.length),
  });
  return ({ document, operation, queryHash, variables }) => {
    const name = operation.name?.value ?? '';
    const id = `${queryHash} ${name}`;
    let names = relevant.get(id);
    if (names === undefined)
      relevant.set(id, (names = variablesThatMatter(document, operation, variableFields)));
    const given = names.map((variable) => (variables[variable] === undefined ? [] : [variables[variable]]));
    // A null may have to be refused, also that of a variable that the cost does not depend on.
    const nulls = listVariables(operation).map((variable) => Number(variables[variable] === null));
    const key = `${id} ${JSON.stringify(given)} ${nulls.join('')}`;
    const cached = costs.get(key);
    if (cached) return cached;
    const { coerced, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], {
      ...variables,
    });
    const [error] = errors ?? [];
    if (error) throw refused(messageOfVariable(error, document, operation));
    const cost = costOf(schema, { operation, fragments: indexFragments(document), variables: coerced ?? {} });
    costs.set(key, cost);
    return cost;
  };
}

/**
 * Computes the cost of an operation before a request gives its variables, for the checks at the start. Variables have their
 * defaults. Null if the operation has required variables, because nothing is known of their values.
 */
export function costWithDefaults(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): QueryCost | null {
  const { coerced } = getVariableValues(schema, operation.variableDefinitions ?? [], {});
  return coerced
    ? costOf(schema, { operation, fragments: indexFragments(document), variables: coerced })
    : null;
}

/** Throws `QUERY_TOO_LARGE`, with the limit and the count, if a query could cost more than the limits allow. */
export function checkCost(cost: QueryCost, limits: CostLimits): void {
  const { nodes, values, fields } = cost;
  if (nodes > limits.nodesAtWorst)
    throw tooLarge(
      `A query may return at most ${limits.nodesAtWorst} nodes, but this one could return ${nodes}: ask for smaller pages.`,
    );
  if (values > limits.values)
    throw tooLarge(
      `An answer may have at most ${limits.values} values, but this one could have ${values}: ask for fewer fields or smaller pages.`,
    );
  for (const unit of ['reads', 'rows', 'bytes'] as const) {
    if (cost[unit] <= limits[unit]) continue;
    const [largest] = fields.toSorted((a, b) => b[unit] - a[unit]);
    throw tooLarge(
      `A query may read at most ${limits[unit]} ${unitNames[unit]}, but this one could read ${cost[unit]}, of which ${largest?.path ?? ''} could read ${largest?.[unit] ?? 0}: ask for smaller pages or fewer fields.`,
    );
  }
}

function indexFragments({ definitions }: DocumentNode) {
  return Object.fromEntries(
    definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
    ),
  );
}

/** The names of fields whose cost depends on their arguments. */
function fieldsWhoseCostVaries(schema: GraphQLSchema): ReadonlySet<string> {
  const fields = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) ? Object.values(type.getFields()) : [],
  );
  const varies = fields.filter((field) => {
    const { items, holds } = declarationOf(field);
    return (
      field.args.length > 0 &&
      (isConnection(field) || items || holds || boundsOf(field).some(({ isConstant }) => !isConstant))
    );
  });
  return new Set(varies.map(({ name }) => name));
}

/**
 * The variables that an operation's cost depends on: those in directives and in arguments of fields whose cost varies. The
 * variables of the document's other operations are left out, because nobody has checked their values.
 */
function variablesThatMatter(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  fields: ReadonlySet<string>,
): readonly string[] {
  const names = new Set<string>();
  const addVariables = { Variable: ({ name }: { name: { value: string } }) => void names.add(name.value) };
  visit(document, {
    Field: ({ name, arguments: args = [] }) => {
      if (fields.has(name.value)) for (const arg of args) visit(arg, addVariables);
    },
    Directive: (directive) => void visit(directive, addVariables),
  });
  return listVariables(operation).filter((name) => names.has(name));
}

/** The names of an operation's variables. */
function listVariables({ variableDefinitions = [] }: OperationDefinitionNode): readonly string[] {
  return variableDefinitions.map(({ variable }) => variable.name.value);
}
