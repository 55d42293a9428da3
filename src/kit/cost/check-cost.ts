import {
  type DocumentNode,
  getVariableValues,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import { refused, tooLarge } from '../base/errors';
import { describeVariableError } from '../input/name-arguments';
import { unitNames } from './cost';
import { createCostFunction, type CostFunction, type QueryCost } from './query-cost';

/** How much a query may cost at most. */
export interface CostLimits {
  readonly reads: number;
  readonly rows: number;
  /** The bytes of the rows. */
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
  readonly variables: Readonly<Record<string, unknown>>;
  /** Whether a person asks, and not a service or somebody without a token. */
  readonly isForPeople: boolean;
}

/** Computes the costs of queries. */
interface Costing {
  /** Computes the cost of a request. Throws `BAD_USER_INPUT` if the value of a variable does not have the variable's type. */
  costOf(this: void, request: CostRequest): QueryCost;
  /** The same if it was computed before for the operation and its variables; else undefined. */
  find(this: void, request: CostRequest): QueryCost | undefined;
}

/** Creates the functions that compute costs. The part of a cost that does not depend on variables is computed once for each operation. */
export function createCosting(schema: GraphQLSchema): Costing {
  // An operation belongs to one parsed document, so it identifies everything that the function depends on.
  const functionsOf = {
    people: new WeakMap<OperationDefinitionNode, CostFunction>(),
    others: new WeakMap<OperationDefinitionNode, CostFunction>(),
  };
  const functionsFor = ({ isForPeople }: CostRequest) =>
    isForPeople ? functionsOf.people : functionsOf.others;
  const coerce = ({ document, operation, variables }: CostRequest) => {
    const { coerced, errors } = getVariableValues(schema, operation.variableDefinitions ?? [], {
      ...variables,
    });
    const [error] = errors ?? [];
    if (!error) return coerced ?? {};
    const { message, details } = describeVariableError(error, document, operation);
    throw refused(message, 'BAD_USER_INPUT', details);
  };
  return {
    costOf(request) {
      const { document, operation, isForPeople } = request;
      const functions = functionsFor(request);
      let costOf = functions.get(operation);
      if (costOf === undefined)
        functions.set(operation, (costOf = costFunctionOf(schema, document, operation, isForPeople)));
      return costOf(coerce(request));
    },
    find(request) {
      const coerced = coerce(request);
      const costOf = functionsFor(request).get(request.operation);
      return costOf?.isKnown(coerced) ? costOf(coerced) : undefined;
    },
  };
}

/** How many fields the processor computes the costs of in about the time that it spends on a read. */
const FIELDS_PER_POINT = 10;

/** How many points it costs to compute the cost of a query, and to list its fields if they are listed. */
export function pointsOfComputing({ computed, size }: QueryCost, isListed: boolean): number {
  return Math.floor((computed + (isListed ? size : 0)) / FIELDS_PER_POINT);
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
  return coerced ? costFunctionOf(schema, document, operation, true)(coerced) : null;
}

/** Whether a query stays within the limits on what it reads. If not, its fields are listed, to name the largest. */
export function readsWithin(cost: QueryCost, limits: CostLimits): boolean {
  return readUnits.every((unit) => cost[unit] <= limits[unit]);
}

const readUnits = ['reads', 'rows', 'bytes'] as const;

/** Throws `QUERY_TOO_LARGE`, with the limit and the count, if a query could cost more than the limits allow. */
export function checkCost(cost: QueryCost, limits: CostLimits): void {
  const { nodes, values } = cost;
  if (nodes > limits.nodesAtWorst)
    throw tooLarge(
      `A query may return at most ${limits.nodesAtWorst} nodes, but this one could return ${nodes}: ask for smaller pages.`,
    );
  if (values > limits.values)
    throw tooLarge(
      `An answer may have at most ${limits.values} values, but this one could have ${values}: ask for fewer fields or smaller pages.`,
    );
  for (const unit of readUnits) {
    if (cost[unit] <= limits[unit]) continue;
    const [largest] = cost.fields().toSorted((a, b) => b[unit] - a[unit]);
    throw tooLarge(
      `A query may read at most ${limits[unit]} ${unitNames[unit]}, but this one could read ${cost[unit]}, of which ${largest?.path ?? ''} could read ${largest?.[unit] ?? 0}: ask for smaller pages or fewer fields.`,
    );
  }
}

function costFunctionOf(
  schema: GraphQLSchema,
  { definitions }: DocumentNode,
  operation: OperationDefinitionNode,
  isForPeople: boolean,
): CostFunction {
  const fragments = Object.fromEntries(
    definitions.flatMap((definition) =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
    ),
  );
  return createCostFunction(schema, { operation, fragments, isForPeople });
}
