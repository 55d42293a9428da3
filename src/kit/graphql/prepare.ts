import {
  execute,
  valueFromASTUntyped,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import { countFields } from './count-fields';
import { documentBytes } from './document-store';
import { findMisreadings } from './misreadings';

/** Resolvers return strings, numbers and booleans as they are sent. TypeScript checks that, so nothing checks each value. */
const compilation = { disableLeafSerialization: true };

/**
 * Compiling takes 0.1 ms per field, during which no other request is answered. graphql-js interprets a query with more fields
 * than this: that takes time for what is returned, not for the length of the text.
 */
const MAX_COMPILED_FIELDS = 500;

/** Bytes of heap that a compiled field takes at most: 2,000 to 3,800 were measured. */
const MAX_FIELD_BYTES = 4000;

/** Runs an operation with the values of variables from a request. For a subscription, `root` is an event. */
type Run = (
  root: unknown,
  context: unknown,
  given: Readonly<Record<string, unknown>>,
) => ExecutionResult | Promise<ExecutionResult>;

/** An operation that is ready to run. */
export interface PreparedOperation {
  readonly run: Run;
  /** About how many bytes of heap it takes, its document included. */
  readonly bytes: number;
}

/**
 * Compiles an operation of a valid document, unless it has too many fields. Operations that graphql-jit would answer otherwise than
 * graphql-js are run by graphql-js: some always, others where a variable has no value. `always` compiles one with many fields, too, for
 * callers that have time.
 */
export function prepareOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  { always = false } = {},
): PreparedOperation {
  const operationName = operation.name?.value ?? null;
  const fields = countFields(document, operation);
  const interpret: Run = (rootValue, contextValue, variableValues) =>
    execute({ schema, document, rootValue, contextValue, variableValues, operationName });
  const interpreted = { run: interpret, bytes: documentBytes(document) };
  const misread = findMisreadings(schema, document, operation);
  if ((fields > MAX_COMPILED_FIELDS && !always) || misread.always) return interpreted;
  const compiled = compileQuery(schema, document, operationName ?? undefined, compilation);
  if (!isCompiledQuery(compiled)) return interpreted;
  const defaults = readDefaults(operation);
  const run: Run = (root, context, given) => {
    const variables = { ...defaults, ...given };
    const isMisread =
      misread.ifAbsent.some((name) => variables[name] === undefined) ||
      misread.ifNull.some((name) => variables[name] === null);
    if (isMisread) return interpret(root, context, given);
    const result = compiled.query(root, context, variables);
    // graphql-jit has refused the variables, and executed nothing. graphql-js decides again, because some of them are right, and it says
    // precisely why others are not.
    const isRefused = !(result instanceof Promise) && !('data' in result);
    return isRefused ? interpret(root, context, given) : result;
  };
  return { run, bytes: interpreted.bytes + fields * MAX_FIELD_BYTES };
}

/** The default values of the variables, because graphql-jit forgets those of non-null types. */
function readDefaults({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, unknown> {
  return Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  );
}
