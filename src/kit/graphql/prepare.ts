import {
  execute,
  valueFromASTUntyped,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { compileQuery, isCompiledQuery, type CompiledQuery } from 'graphql-jit';
import { countFields } from './count-fields';
import { documentBytes } from './document-store';
import { isMisread } from './is-misread';

/** Resolvers return strings, numbers and booleans as they are sent. TypeScript checks that, so nothing checks each value. */
const compilation = { disableLeafSerialization: true };

/**
 * Compiling takes 0.1 ms per field, during which no other request is answered. graphql-js interprets a query with more fields
 * than this: that takes time for what is returned, not for the length of the text.
 */
const MAX_COMPILED_FIELDS = 500;

/** Bytes of heap that a compiled field takes at most: 2,000 to 3,800 were measured. */
const MAX_FIELD_BYTES = 4000;

/** An operation that is ready to run. */
export interface PreparedOperation {
  readonly run: CompiledQuery['query'];
  /** The default values of its variables. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** About how many bytes of heap it takes, its document included. */
  readonly bytes: number;
}

/**
 * Compiles an operation of a valid document, unless graphql-jit might answer it wrongly or it has too many fields. `always`
 * compiles one with many fields, too, for callers that have time.
 */
export function prepareOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  { always = false } = {},
): PreparedOperation {
  const operationName = operation.name?.value ?? null;
  const fields = countFields(document, operation);
  const defaults = defaultsOf(operation);
  if ((fields > MAX_COMPILED_FIELDS && !always) || isMisread(document))
    return {
      run: (rootValue: unknown, contextValue: unknown, variableValues) =>
        execute({
          schema,
          document,
          rootValue,
          contextValue,
          variableValues: variableValues ?? null,
          operationName,
        }),
      defaults,
      bytes: documentBytes(document),
    };
  const compiled = compileQuery(schema, document, operationName ?? undefined, compilation);
  if (!isCompiledQuery(compiled))
    throw new Error('graphql-jit could not compile a query', { cause: compiled.errors });
  return { run: compiled.query, defaults, bytes: documentBytes(document) + fields * MAX_FIELD_BYTES };
}

/** The default values of the variables, because graphql-jit forgets those of non-null types. */
function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, unknown> {
  return Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  );
}
