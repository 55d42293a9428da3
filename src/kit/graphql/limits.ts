import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import {
  getOperationAST,
  GraphQLError,
  Lexer,
  Source,
  TokenKind,
  type DocumentNode,
  type GraphQLSchema,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import { fieldExtensionsEstimator, getComplexity, type ComplexityEstimator } from 'graphql-query-complexity';
import { tooLarge } from '../errors';

/** The deepest introspection; what tools ask for, each fragment counted as a level, is 21 deep. */
const DEEPEST_INTROSPECTION = 30;

/** The most fields of a query with its fragments filled in, each as often as it is named. */
export const MOST_FIELDS = 10_000;

/** The deepest nesting of brackets that is parsed; the parser is recursive, so it must be known before. */
const DEEPEST_BRACKETS = 200;

/**
 * Counts tokens and brackets without recursion. Throws `QUERY_TOO_LARGE` before anything is parsed. A comment counts as a
 * token: a parsed document keeps it like one.
 */
export function checkSource(text: string, most: number): void {
  const lexer = new Lexer(new Source(text));
  let tokens = 0;
  let brackets = 0;
  let deepest = 0;
  for (;;) {
    const { kind } = lexer.advance();
    for (let { next } = lexer.lastToken; next?.kind === TokenKind.COMMENT; next = next.next) tokens++;
    // Tokens are linked: cut off, those that were counted need no memory.
    Reflect.set(lexer.lastToken, 'prev', null);
    if (kind === TokenKind.EOF) break;
    tokens++;
    if (kind === TokenKind.BRACE_L || kind === TokenKind.PAREN_L || kind === TokenKind.BRACKET_L)
      deepest = Math.max(deepest, ++brackets);
    else if (kind === TokenKind.BRACE_R || kind === TokenKind.PAREN_R || kind === TokenKind.BRACKET_R)
      brackets--;
  }
  if (tokens > most) throw tooLarge(`A query may have ${most} tokens, but this one has ${tokens}.`);
  if (deepest > DEEPEST_BRACKETS)
    throw tooLarge(`Brackets may be nested ${DEEPEST_BRACKETS} deep, but here they are ${deepest} deep.`);
}

/** Validation rules for depth and aliases, which refuse with `QUERY_TOO_LARGE`. */
export function limitRules(limits: { readonly depth: number; readonly aliases: number }): ValidationRule[] {
  return [
    maxDepthRule({
      n: limits.depth,
      propagateOnRejection: false,
      onReject: [refuse((count) => `A query may be ${limits.depth} deep, but this one is ${count}.`)],
    }),
    maxDepthRule({
      n: DEEPEST_INTROSPECTION,
      ignoreIntrospection: false,
      propagateOnRejection: false,
      onReject: [
        refuse((count) => `Introspection may be ${DEEPEST_INTROSPECTION} deep, but this query is ${count}.`),
      ],
    }),
    maxAliasesRule({
      n: limits.aliases,
      allowList: [],
      propagateOnRejection: false,
      onReject: [refuse((count) => `A query may have ${limits.aliases} aliases, but this one has ${count}.`)],
    }),
  ];
}

/** Reports what a rule of graphql-armor found, whose message ends with the count. */
function refuse(messageOf: (count: string) => string) {
  return (context: ValidationContext | null, { message }: GraphQLError) => {
    context?.reportError(tooLarge(messageOf(/found (\d+)/.exec(message)?.[1] ?? 'more')));
  };
}

/**
 * Where a field does not say otherwise, a connection returns at worst as many nodes as its page holds, each with what is
 * asked of it; a list of ids, one each. `onIds` hears how many ids a list has.
 */
function pageSizes(onIds: (count: number) => void): ComplexityEstimator {
  return ({ args, childComplexity, field }) => {
    const sizes = [args['first'], args['last']].filter((size) => typeof size === 'number');
    const isList = field.args.some(({ name }) => name === 'first');
    if (isList) {
      const size = Math.min(Math.max(...sizes, sizes.length > 0 ? 0 : 25), 1_000_000);
      return size * (1 + childComplexity);
    }
    const ids: unknown = args['ids'];
    if (!Array.isArray(ids)) return childComplexity;
    onIds(ids.length);
    return ids.length * (1 + childComplexity);
  };
}

/**
 * Throws `QUERY_TOO_LARGE` when the product of a query's page sizes, as GitHub counts, or a list of ids is beyond its
 * limit; `BAD_USER_INPUT` when a variable has not its type.
 */
export function checkNodes(
  schema: GraphQLSchema,
  query: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
  operationName: string | undefined,
  limits: { readonly nodesAtWorst: number; readonly nodes: number },
): void {
  const operation = getOperationAST(query, operationName);
  if (!operation) return;
  let ids = 0;
  const nodes = complexityOf({
    schema,
    query,
    variables: { ...variables },
    ...(operation.name && { operationName: operation.name.value }),
    estimators: [fieldExtensionsEstimator(), pageSizes((count) => (ids = Math.max(ids, count)))],
    maxQueryNodes: MOST_FIELDS,
  });
  if (ids > limits.nodes) throw tooLarge(`ids must be at most ${limits.nodes}, but got: ${ids}`);
  if (nodes > limits.nodesAtWorst)
    throw tooLarge(
      `A query may return ${limits.nodesAtWorst} nodes at worst, but this one could return ${nodes}.`,
    );
}

/** Beside a variable that has not its type, it throws only where fragments make a short text a huge query. */
function complexityOf(options: Parameters<typeof getComplexity>[0]): number {
  try {
    return getComplexity(options);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    if (!/^Query exceeds/.test(error.message)) throw refused(error.message);
    throw tooLarge(
      `A query may have ${MOST_FIELDS} fields with all its fragments filled in, but this one has more.`,
    );
  }
}

/** A request that ends before it is executed, unlike one of whose fields has a bad argument. */
function refused(message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } } });
}
