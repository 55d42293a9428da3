import { OperationTypeNode, type GraphQLSchema } from 'graphql';
import type { ServerConfig } from '../config/config';
import { checkCost, createCosting } from '../cost/check-cost';
import { mutationsIn, pointsOf } from './admission';
import { createInputCheck } from './check-inputs';
import type { RequestedOperation } from './executor';
import type { RequestContext } from './request-context';

/** Checks an operation before it runs, and charges the caller for it. Throws if it must not run. */
export type BeginOperation = (requested: RequestedOperation, context: RequestContext) => void;

/** Creates the function that begins operations. A request that asks only for its cost is neither refused for it nor charged. */
export function createBeginOperation(
  schema: GraphQLSchema,
  { limits }: Pick<ServerConfig, 'limits'>,
): BeginOperation {
  const checkInputs = createInputCheck(schema, limits);
  const costOf = createCosting(schema);
  return (requested, context) => {
    const { document, operation, variables } = requested;
    checkInputs(document, operation, variables);
    const cost = costOf(requested);
    context.cost = cost;
    if (context.costOnly) return;
    checkCost(cost, limits);
    // What a mutation decides by, and shows, must not be some seconds old.
    if (operation.operation === OperationTypeNode.MUTATION) context.load.forget();
    context.limits.charge(pointsOf(cost), mutationsIn(operation, document));
  };
}
