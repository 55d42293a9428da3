import {
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  type ExecutionResult,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import type { ServerConfig } from '../config/config';
import { refused } from '../base/errors';
import { checkCost, createCosting, pointsOfComputing, readsWithin } from '../cost/check-cost';
import type { Cost } from '../cost/cost';
import type { QueryCost } from '../cost/query-cost';
import { withBytesRead, withReserved, type Reserve } from '../cost/reserve';
import {
  mutationsIn,
  countPoints,
  countWritten,
  pointsOfAnswer,
  pointsUsed,
  computeWeight,
  READ_BYTES_PER_POINT,
} from './admission';
import { isLargerThan } from './answer-size';
import { countFields } from './count-fields';
import { createInputCheck } from './check-inputs';
import { createIntrospection, refuseIntrospection } from './introspection';
import type { DocumentStore } from './document-store';
import type { Pass } from '../reads/gate';
import { notExecuted, type Execution, type RequestedOperation } from './executor';
import type { PreparationQueue } from './preparation-queue';
import type { RequestContext } from './request-context';
import { checkNewDocument } from './valid-document';

/** The parts of a request, with absent ones filled in. */
export interface PlainRequest {
  readonly query: string;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** The one way of every operation: Apollo's executor, the short way past Apollo and subscriptions call it. */
export interface Operations {
  /**
   * Waits for the turn of a document that is not stored, and checks its length and shape. Then its caller does everything up to its first
   * read before the next document gets its turn. Throws `QUERY_TOO_LARGE` or a syntax error.
   */
  prepare(this: void, source: string, who: Pick<RequestContext, 'caller' | 'pass'>): Promise<void>;
  /**
   * Checks an operation and its inputs, bounds what it reads, and charges the caller for it. Rejects if it must not run. A large operation
   * waits for its turn.
   */
  checkAndCharge(this: void, requested: RequestedOperation, context: RequestContext): Promise<void>;
  /** Begins and executes an operation, once for a context: later calls get the same result. A refusal is a result without data. */
  run(this: void, requested: RequestedOperation, context: RequestContext): Promise<ExecutionResult>;
  /** The operation that a request asks for, if it has been parsed, validated and compiled. */
  findKnown(this: void, request: PlainRequest): RequestedOperation | undefined;
  /**
   * Runs a known operation without Apollo, and returns the answer as JSON; null if it has errors, no data, or too many bytes. Apollo
   * must answer then, and its executor gets the same result.
   */
  answerKnown(this: void, requested: RequestedOperation, context: RequestContext): Promise<string | null>;
}

/** The functions that prepare, find and execute operations. */
interface Parts {
  readonly documents: DocumentStore;
  readonly preparing: PreparationQueue;
  readonly execution: Execution;
}

/**
 * Creates the function by which the fields of an operation reserve more than it was charged for. Thousands of fields may be refused in one
 * turn, so a field that asks for at least as much as a refused one gets the same error: the bound never shrinks.
 */
export function reserveFor(
  context: Pick<RequestContext, 'cost' | 'limits' | 'pass'>,
  limits: ServerConfig['limits'],
): Reserve {
  let refusal: { readonly more: Cost; readonly error: unknown } | undefined;
  return async (of, more) => {
    if (context.cost === undefined) return;
    if (refusal && more.reads >= refusal.more.reads && more.rows >= refusal.more.rows) throw refusal.error;
    const cost = withReserved(context.cost, of, more);
    try {
      checkCost(cost, limits);
    } catch (error) {
      refusal = { more, error };
      throw error;
    }
    context.limits.charge(countPoints(cost, context.pass.bytes), 0);
    context.cost = cost;
    await context.limits.waitForRoom(computeWeight(cost, limits), context.pass);
  };
}

/**
 * Lets an operation that was charged some points read the bytes that these pay for. From then on it is charged for more bytes, first within
 * its bound, then beyond it.
 */
export function allowBytes(
  context: Pick<RequestContext, 'cost' | 'limits'>,
  pass: Pick<Pass, 'allowBytes'>,
  points: number,
): void {
  pass.allowBytes(Math.min(context.cost?.bytes ?? 0, points * READ_BYTES_PER_POINT), growBytes(context));
}

/**
 * Creates the function by which an operation is charged for bytes that it has read beyond what its points pay for. If they are beyond its
 * bound, too, the bound grows.
 */
function growBytes(context: Pick<RequestContext, 'cost' | 'limits'>): (read: number) => void {
  return (read) => {
    if (context.cost === undefined) return;
    if (read > context.cost.bytes) context.cost = withBytesRead(context.cost, read);
    context.limits.charge(countPoints(context.cost, read), 0);
  };
}

/** Creates the way of operations. One that is asked only for its cost is not refused for it, and is charged for computing it. */
export function createOperations(
  schema: GraphQLSchema,
  { limits }: Pick<ServerConfig, 'limits'>,
  { documents, preparing, execution }: Parts,
): Operations {
  const checkInputs = createInputCheck(schema, limits);
  const costing = createCosting(schema);
  const takeTurn = createTurns(costing, limits, preparing);
  const checkAndCharge: Operations['checkAndCharge'] = async (requested, context) => {
    const { document, operation, variables } = requested;
    if (!context.mayIntrospect) refuseIntrospection(document);
    if (context.costOnly && context.explainRefused !== undefined)
      throw refused(context.explainRefused, 'FORBIDDEN');
    checkInputs(document, operation, variables);
    await takeTurn(requested, context);
    const written = countWritten(operation, variables);
    const computed = costing.costOf(costRequestOf(requested, context));
    const cost = written === 0 ? computed : { ...computed, written };
    context.limits.countWork(pointsOfComputing(cost, listsFields(operation, context, cost, limits)));
    context.cost = cost;
    if (context.costOnly) return;
    checkCost(cost, limits);
    // A mutation must not decide by rows that are some seconds old, or show them.
    if (operation.operation === OperationTypeNode.MUTATION) context.load.forget();
    const points = countPoints(cost);
    context.limits.charge(points, mutationsIn(operation, document));
    context.reserve = reserveFor(context, limits);
    allowBytes(context, context.pass, points);
  };
  const introspection = createIntrospection();
  /**
   * The kept answer of an operation that asks for the schema, or the one of the executor. One that must be made takes a turn as a new document
   * does: it may take the processor for hundreds of milliseconds.
   */
  const answerOf = async (requested: RequestedOperation, context: RequestContext) => {
    const { kept, key, points } = introspection.find(requested);
    if (kept) return kept;
    if (points > 0) {
      const { limits: ofCaller, pass, caller } = context;
      ofCaller.countWork(points);
      const find = () => introspection.find(requested).kept;
      await preparing.wait({ key: `schema ${key}`, pass, caller, isDone: () => find() !== undefined });
      const made = find();
      if (made) return made;
    }
    const answer = await execution.run(requested, context);
    introspection.keep(requested, answer);
    return answer;
  };
  const beginAndExecute: Operations['run'] = async (requested, context) => {
    const name = requested.operation.name?.value;
    context.logged.operation = name;
    if (execution.isTrusted(requested)) context.logged.trusted = name;
    try {
      await checkAndCharge(requested, context);
      if (context.costOnly) return { data: null };
      return await answerOf(requested, context);
    } catch (error) {
      if (error instanceof GraphQLError) return { errors: [error] };
      throw error;
    }
  };
  const run: Operations['run'] = (requested, context) =>
    (context.result ??= beginAndExecute(requested, context));
  return {
    async prepare(source, { caller, pass }) {
      const isDone = () => documents.has(source);
      if (!isDone() && (await preparing.wait({ key: source, pass, caller, isDone })))
        checkNewDocument(schema, limits, source);
    },
    checkAndCharge,
    run,
    findKnown({ query, operationName, variables }) {
      const known = documents.find(query);
      const operation = known && getOperationAST(known.document, operationName);
      if (!operation || !execution.isPrepared(known.hash, operation)) return undefined;
      return { document: known.document, operation, queryHash: known.hash, variables };
    },
    async answerKnown(requested, context) {
      const result = await run(requested, context).catch(() => null);
      if (result?.data == null || result.errors !== undefined) return null;
      const kept = introspection.textOf(result);
      if (isLargerThan(limits.answerBytes, kept ?? result)) return null;
      context.limits.giveBackUnused(pointsUsed(context));
      const text = kept ?? `${JSON.stringify({ data: result.data })}\n`;
      context.limits.countAnswer(pointsOfAnswer(text.length));
      return text;
    },
  };
}

/** How many fields an operation must have for its cost to take a millisecond to compute. */
const LARGE_FIELDS = 100;

/**
 * Creates the function that waits for the turn of a request to compute its cost, if that takes long: the operation is large, and its cost
 * with these variables is not known, or its fields must be listed, too. Rejects when the pass is closed.
 */
function createTurns(
  costing: ReturnType<typeof createCosting>,
  limits: ServerConfig['limits'],
  preparing: PreparationQueue,
): (requested: RequestedOperation, context: RequestContext) => Promise<void> {
  const fieldsOf = new WeakMap<OperationDefinitionNode, number>();
  const isLarge = ({ document, operation }: RequestedOperation) => {
    let fields = fieldsOf.get(operation);
    if (fields === undefined) fieldsOf.set(operation, (fields = countFields(document, operation)));
    return fields >= LARGE_FIELDS;
  };
  let turns = 0;
  return async (requested, context) => {
    if (!isLarge(requested)) return;
    const request = costRequestOf(requested, context);
    const known = costing.find(request);
    if (known && !listsFields(requested.operation, context, known, limits)) return;
    turns += 1;
    const { caller, pass } = context;
    try {
      // Each lists its own fields, so nobody else does its work.
      await preparing.wait({ key: `cost ${turns}`, caller, pass, isDone: () => false });
    } catch (error) {
      throw notExecuted(error);
    }
  };
}

/** Whether the fields of an operation are listed: for those who ask for it, for each event, or to name the largest. */
function listsFields(
  operation: OperationDefinitionNode,
  { costOnly, log }: RequestContext,
  cost: QueryCost,
  limits: ServerConfig['limits'],
): boolean {
  return costOnly === true || log !== undefined || isSubscription(operation) || !readsWithin(cost, limits);
}

function costRequestOf(requested: RequestedOperation, { sight }: RequestContext) {
  return { ...requested, isForPeople: sight?.isNobody === false };
}

function isSubscription({ operation }: OperationDefinitionNode): boolean {
  return operation === OperationTypeNode.SUBSCRIPTION;
}
