import {
  createSourceEventStream,
  getOperationAST,
  GraphQLError,
  OperationTypeNode,
  type ExecutionResult,
  type GraphQLSchema,
} from 'graphql';
import { badInput, refused, tooLarge } from '../base/errors';
import { describeVariableError } from '../input/name-arguments';
import type { Pass } from '../reads/gate';
import { isLargerThan } from '../graphql/answer-size';
import { formatError } from '../graphql/apollo';
import type { RequestedOperation } from '../graphql/executor';
import type { LiveContext, LiveResult, LiveServices, SubscriptionRequest } from './live-services';
import { validDocument } from '../graphql/valid-document';

/** Checks what a client asks for, and parses its document if nobody has before. Throws `BAD_USER_INPUT` or `QUERY_TOO_LARGE`. */
export async function checkRequest(
  { schema, documents, operations, config }: LiveServices,
  { query, operationName, variables }: SubscriptionRequest,
  caller: string,
  pass: Pass,
): Promise<RequestedOperation> {
  if (typeof query !== 'string') throw badInput('A subscription must have a query.');
  if (operationName != null && typeof operationName !== 'string')
    throw badInput('operationName must be text.');
  if (variables != null && (typeof variables !== 'object' || Array.isArray(variables)))
    throw badInput('variables must be an object.');
  await operations.prepare(query, { caller, pass });
  const { document, hash } = await validDocument({ schema, documents, limits: config.limits }, query);
  const operation = getOperationAST(document, operationName);
  if (!operation) throw badInput('operationName must name an operation of the query.');
  if (operation.operation !== OperationTypeNode.SUBSCRIPTION)
    throw badInput(
      `Only subscriptions are answered here, but got a ${operation.operation}: send it by POST.`,
    );
  const given = (variables ?? {}) as Readonly<Record<string, unknown>>;
  return { document, operation, queryHash: hash, variables: given };
}

/** Begins the events of the field of a subscription. Throws what its resolver throws. */
export async function beginEvents(
  schema: GraphQLSchema,
  { document, operation, variables }: RequestedOperation,
  contextValue: LiveContext,
): Promise<AsyncIterable<object>> {
  const events = await createSourceEventStream({
    schema,
    document,
    contextValue,
    variableValues: variables,
    operationName: operation.name?.value ?? null,
  });
  if (Symbol.asyncIterator in events) return events as AsyncIterable<object>;
  const [error] = events.errors ?? [];
  if (error === undefined) throw new Error('A subscription must have events or errors.');
  if (error.originalError) throw error.originalError;
  // graphql-js gives errors of variables no code.
  const { message, details } = describeVariableError(error, document, operation);
  throw refused(message, 'BAD_USER_INPUT', details);
}

/** A result as it is sent: with codes of the catalogue only, and not too large. */
export function formatEvent(
  { config, logger }: Pick<LiveServices, 'config' | 'logger'>,
  result: Omit<ExecutionResult, 'errors'> & { readonly errors?: readonly Error[] | undefined },
): LiveResult {
  const { data, errors: given } = result;
  const answer: LiveResult = {
    ...(data !== undefined && { data }),
    ...(given && {
      errors: given.map((error) => {
        const located =
          error instanceof GraphQLError ? error : new GraphQLError(error.message, { originalError: error });
        const { extensions, ...rest } = located.toJSON();
        const formattedError = { ...rest, extensions: { code: 'INTERNAL_SERVER_ERROR', ...extensions } };
        return formatError(formattedError, located, logger);
      }),
    }),
  };
  const { answerBytes } = config.limits;
  if (!isLargerThan(answerBytes, answer)) return answer;
  const { message, extensions } = tooLarge(
    `An event may have ${answerBytes} bytes, but this one has more: ask for fewer fields.`,
  );
  return { errors: [{ message, extensions: { code: extensions['code'] } }] };
}
