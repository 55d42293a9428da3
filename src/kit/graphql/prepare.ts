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

/** Resolvers give strings, numbers and booleans as they are: checked by types, not at each value. */
const compilation = { disableLeafSerialization: true };

/**
 * Compiling takes 0.1 ms a field, during which nobody else is answered. A query with more fields than this is
 * interpreted by graphql-js, which costs by what is returned and not by the text.
 */
const MAX_COMPILED_FIELDS = 500;

/** Heap that a compiled field takes at most: 2,000 to 3,800 bytes were measured. */
const MAX_FIELD_BYTES = 4000;

/** An operation that is ready to run. */
export interface PreparedOperation {
  readonly run: CompiledQuery['query'];
  /** The variables' defaults. */
  readonly defaults: Readonly<Record<string, unknown>>;
  /** About how much heap it takes, its document included. */
  readonly bytes: number;
}

/** Compiles an operation of a valid document, unless graphql-jit might answer it wrongly. `always`: also a large one, where there is time. */
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
  const made = compileQuery(schema, document, operationName ?? undefined, compilation);
  if (!isCompiledQuery(made))
    throw new Error('graphql-jit could not compile a query', { cause: made.errors });
  return { run: made.query, defaults, bytes: documentBytes(document) + fields * MAX_FIELD_BYTES };
}

/** The variables' defaults: graphql-jit forgets those of non-null types. */
function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, unknown> {
  return Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  );
}
