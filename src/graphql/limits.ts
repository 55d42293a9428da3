import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import {
  Lexer,
  Source,
  TokenKind,
  type DocumentNode,
  type GraphQLSchema,
  type ValidationRule,
} from 'graphql';
import { getComplexity, type ComplexityEstimator } from 'graphql-query-complexity';
import { tooLarge } from '../kit/errors';

/** The deepest nesting of brackets that is parsed; the parser is recursive, so it must be known before. */
const DEEPEST_BRACKETS = 200;

/** Counts tokens and brackets without recursion. Throws `QUERY_TOO_LARGE` before anything is parsed. */
export function checkSource(text: string, tokens: number): void {
  const lexer = new Lexer(new Source(text));
  let brackets = 0;
  for (let count = 1; ; count++) {
    const { kind } = lexer.advance();
    if (kind === TokenKind.EOF) return;
    if (count > tokens) throw tooLarge(`A query may have ${tokens} tokens, but this one has more.`);
    if (kind === TokenKind.BRACE_L || kind === TokenKind.PAREN_L || kind === TokenKind.BRACKET_L) brackets++;
    else if (kind === TokenKind.BRACE_R || kind === TokenKind.PAREN_R || kind === TokenKind.BRACKET_R)
      brackets--;
    if (brackets > DEEPEST_BRACKETS) {
      throw tooLarge(`Brackets may be nested ${DEEPEST_BRACKETS} deep, but here they are nested deeper.`);
    }
  }
}

/** Validation rules for depth and aliases, which refuse with `QUERY_TOO_LARGE`. */
export function limitRules(limits: { readonly depth: number; readonly aliases: number }): ValidationRule[] {
  const count = (message: string) => /found:? (\d+)/i.exec(message)?.[1] ?? 'more';
  return [
    maxDepthRule({
      n: limits.depth,
      propagateOnRejection: false,
      onReject: [
        (context, error) => {
          context?.reportError(
            tooLarge(`A query may be ${limits.depth} deep, but this one is ${count(error.message)}.`),
          );
        },
      ],
    }),
    maxAliasesRule({
      n: limits.aliases,
      allowList: [],
      propagateOnRejection: false,
      onReject: [
        (context, error) => {
          context?.reportError(
            tooLarge(`A query may have ${limits.aliases} aliases, but this one has ${count(error.message)}.`),
          );
        },
      ],
    }),
  ];
}

/** A connection returns at worst as many nodes as its page holds, each with what is asked of it. */
const pageSizes: ComplexityEstimator = ({ args, childComplexity, field }) => {
  const sizes = [args['first'], args['last']].filter((size) => typeof size === 'number');
  const isList = field.args.some(({ name }) => name === 'first');
  if (isList) {
    const size = Math.min(Math.max(...sizes, sizes.length > 0 ? 0 : 25), 1_000_000);
    return size * (1 + childComplexity);
  }
  const ids: unknown = args['ids'];
  return Array.isArray(ids) ? ids.length * (1 + childComplexity) : childComplexity;
};

/** Throws `QUERY_TOO_LARGE` when the product of a query's page sizes is beyond the limit, as GitHub counts. */
export function checkNodes(
  schema: GraphQLSchema,
  query: DocumentNode,
  variables: Readonly<Record<string, unknown>>,
  operationName: string | undefined,
  limit: number,
): void {
  const nodes = getComplexity({
    schema,
    query,
    variables: { ...variables },
    ...(operationName !== undefined && { operationName }),
    estimators: [pageSizes],
  });
  if (nodes > limit)
    throw tooLarge(`A query may return ${limit} nodes at worst, but this one could return ${nodes}.`);
}
