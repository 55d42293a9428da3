import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import type { GraphQLError } from 'graphql';
import {
  type ASTVisitor,
  Lexer,
  Source,
  TokenKind,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import { tooLarge } from '../base/errors';

/** The deepest introspection; what tools ask for, each fragment counted as a level, is 21 deep. */
const MAX_INTROSPECTION_DEPTH = 30;

/** The deepest nesting of brackets that is parsed; the parser is recursive, so it must be known before. */
const MAX_BRACKET_DEPTH = 200;

/** The greatest length of a name or number: an answer has as many copies of an alias as it has nodes. */
const MAX_NAME_LENGTH = 200;

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
    const { kind, start, end } = lexer.advance();
    for (let { next } = lexer.lastToken; next?.kind === TokenKind.COMMENT; next = next.next) tokens++;
    // Tokens are linked: cut off, those that were counted need no memory.
    Reflect.set(lexer.lastToken, 'prev', null);
    if (kind !== TokenKind.EOF) tokens++;
    if (tokens > most) throw tooLarge(`A query may have ${most} tokens, but this one has more.`);
    if (kind === TokenKind.EOF) break;
    if (end - start > MAX_NAME_LENGTH && !isText(kind))
      throw tooLarge(
        `A name or number may have ${MAX_NAME_LENGTH} characters, but this one has ${end - start}.`,
      );
    if (kind === TokenKind.BRACE_L || kind === TokenKind.PAREN_L || kind === TokenKind.BRACKET_L)
      deepest = Math.max(deepest, ++brackets);
    else if (kind === TokenKind.BRACE_R || kind === TokenKind.PAREN_R || kind === TokenKind.BRACKET_R)
      brackets--;
  }
  if (deepest > MAX_BRACKET_DEPTH)
    throw tooLarge(`Brackets may be nested ${MAX_BRACKET_DEPTH} deep, but here they are ${deepest} deep.`);
}

/** Texts have the bounds of their arguments; comments are passed over. */
function isText(kind: TokenKind): boolean {
  return kind === TokenKind.STRING || kind === TokenKind.BLOCK_STRING;
}

/** Validation rules for depth and aliases, which refuse with `QUERY_TOO_LARGE`. */
export function limitRules(limits: { readonly depth: number; readonly aliases: number }): ValidationRule[] {
  return [
    refuseIntrospectionAliases,
    maxDepthRule({
      n: limits.depth,
      propagateOnRejection: false,
      onReject: [refuse((count) => `A query may be ${limits.depth} deep, but this one is ${count}.`)],
    }),
    maxDepthRule({
      n: MAX_INTROSPECTION_DEPTH,
      ignoreIntrospection: false,
      propagateOnRejection: false,
      onReject: [
        refuse(
          (count) => `Introspection may be ${MAX_INTROSPECTION_DEPTH} deep, but this query is ${count}.`,
        ),
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

/**
 * Refuses aliases of fields that answer the schema: no tool uses them, and without them an answer has each field once. How
 * deep its lists are nested is limited by graphql-js (`MaxIntrospectionDepthRule`).
 */
function refuseIntrospectionAliases(context: ValidationContext): ASTVisitor {
  return {
    Field(field) {
      const { alias, name } = field;
      const isOfSchema =
        context.getParentType()?.name.startsWith('__') === true ||
        ['__schema', '__type'].includes(name.value);
      if (alias === undefined || !isOfSchema) return;
      context.reportError(tooLarge('A query may ask for the schema without aliases only.'));
    },
  };
}

/** Reports what a rule of graphql-armor found, whose message ends with the count. */
function refuse(messageOf: (count: string) => string) {
  return (context: ValidationContext | null, { message }: GraphQLError) => {
    context?.reportError(tooLarge(messageOf(/found (\d+)/.exec(message)?.[1] ?? 'more')));
  };
}
