import { type ErrorDetails, asError } from '../base/errors';
import type { Kept } from '../base/kept';
import { setFlagsFromString } from 'node:v8';
import {
  GraphQLError,
  OperationTypeNode,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { describeVariableError } from '../input/name-arguments';
import type { CostLimits } from '../cost/check-cost';
import { computeWeight } from './admission';
import { endExecution } from './deadline';
import { MIN_CACHED_ENTRIES } from './document-store';
import { prepareOperation, type PreparedOperation } from './prepare';
import type { RequestContext } from './request-context';
import type { TrustedOperation } from './trusted-documents';
import type { PreparationQueue } from './preparation-queue';

/** The maximum size of the cached prepared operations in bytes of heap: about 300 operations of 20 fields. */
const MAX_PREPARED_BYTES = 40_000_000;

/** An operation of a valid document, and the variables that a request gives it. */
export interface RequestedOperation {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** SHA-256 of the document's text, in hexadecimal. */
  readonly queryHash: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Runs operations. */
export interface Execution {
  /** Whether an operation is of a trusted document. */
  isTrusted(this: void, requested: Pick<RequestedOperation, 'queryHash' | 'operation'>): boolean;
  /** The prepared operations, without the trusted ones. */
  readonly kept: Kept;
  /** Whether an operation of a document can run without being compiled first. */
  isPrepared(this: void, queryHash: string, operation: OperationDefinitionNode): boolean;
  /** Runs an operation. For a subscription, `event` is a value of its field. */
  run(
    this: void,
    requested: RequestedOperation,
    context: RequestContext,
    event?: object,
  ): Promise<ExecutionResult>;
}

/** Runs operations that graphql-jit has compiled. Each is compiled once, the trusted ones in this call. */
export function compiledExecution(
  schema: GraphQLSchema,
  trusted: readonly TrustedOperation[],
  preparing: PreparationQueue,
  costLimits: CostLimits,
): Execution {
  // By default V8 keeps the code of `new Function`, 80 kB for each query of 25 fields, until the heap is nearly full.
  setFlagsFromString('--no-compilation-cache');
  // Trusted operations are never evicted.
  const lasting = new Map(
    trusted.map(({ hash, document, operation }) => [
      joinKey(hash, operation.name?.value),
      prepareOperation(schema, document, operation, { always: true }),
    ]),
  );
  const prepared = new LRUCache<string, PreparedOperation>({
    maxSize: MAX_PREPARED_BYTES,
    maxEntrySize: MAX_PREPARED_BYTES / MIN_CACHED_ENTRIES,
    sizeCalculation: ({ bytes }) => bytes,
  });
  const run: Execution['run'] = async ({ document, operation, queryHash, variables }, context, event) => {
    if (!schema.getRootType(operation.operation))
      return { errors: [invalidRequest(`This API has no ${operation.operation}s.`)] };
    if (operation.operation === OperationTypeNode.SUBSCRIPTION && event === undefined)
      return {
        errors: [
          invalidRequest(
            'Subscriptions are answered over WebSocket (graphql-ws), as text/event-stream or as multipart/mixed;subscriptionSpec=1.0 only.',
          ),
        ],
      };
    const key = joinKey(queryHash, operation.name?.value);
    const { pass, caller, limits, cost } = context;
    try {
      if (cost) await limits.waitForRoom(computeWeight(cost, costLimits), pass);
      if (!lasting.has(key)) await preparing.wait({ key, pass, caller, isDone: () => prepared.has(key) });
    } catch (error) {
      return { errors: [notExecuted(error)] };
    }
    let query = lasting.get(key) ?? prepared.get(key);
    if (query === undefined) prepared.set(key, (query = prepareOperation(schema, document, operation)));
    pass.trace?.enter('execute');
    const result = await endExecution(context, query.run(event, context, variables));
    pass.trace?.enter(null);
    if (result.errors === undefined) return result;
    // Without data, the variables are wrong.
    if (result.data === undefined)
      return {
        errors: result.errors.map((error) => {
          const { message, details } = describeVariableError(error, document, operation);
          return invalidRequest(message, error.nodes, details);
        }),
      };
    return withExtensions(result, result.errors);
  };
  return {
    isPrepared: (queryHash, operation) => {
      const key = joinKey(queryHash, operation.name?.value);
      return lasting.has(key) || prepared.has(key);
    },
    isTrusted: ({ queryHash, operation }) => lasting.has(joinKey(queryHash, operation.name?.value)),
    kept: { entries: () => prepared.size, bytes: () => prepared.calculatedSize },
    run,
  };
}

function joinKey(queryHash: string, operationName: string | null | undefined): string {
  return `${queryHash} ${operationName ?? ''}`;
}

/** Creates the error of a request that cannot be executed. */
export function invalidRequest(
  message: string,
  nodes?: GraphQLError['nodes'],
  details: ErrorDetails = {},
): GraphQLError {
  const extensions = { code: 'BAD_USER_INPUT', ...details };
  return new GraphQLError(message, { nodes: nodes ?? null, extensions });
}

/** Creates the error of a request that was not executed, because its pass was closed while it waited. */
export function notExecuted(error: unknown): GraphQLError {
  const originalError = asError(error);
  return new GraphQLError(originalError.message, { originalError, extensions: { http: { status: 503 } } });
}

/** Gives graphql-jit's own errors extensions, which they lack and Apollo reads. */
function withExtensions(result: ExecutionResult, given: readonly GraphQLError[]): ExecutionResult {
  const errors = given.map((error) => {
    // They may be undefined, although their type says that they are always there.
    const extensions: unknown = error.extensions;
    const { message, path, originalError } = error;
    return extensions === undefined ? new GraphQLError(message, { path, originalError }) : error;
  });
  return { ...result, errors };
}
