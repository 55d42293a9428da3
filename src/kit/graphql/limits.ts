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
import { refused, tooLarge } from '../base/errors';
import { nameArguments } from '../input/name-arguments';

/** The maximum depth of an introspection query. Common tools send one of depth 15. */
const MAX_INTROSPECTION_DEPTH = 30;

/** The maximum nesting of brackets. It is checked before parsing, because the parser is recursive. */
const MAX_BRACKET_DEPTH = 200;

/** The maximum length of a name or number in characters: an answer repeats an alias in each node. */
const MAX_NAME_LENGTH = 200;

/**
 * Limits tokens and nested brackets, without recursion and before anything is parsed. Throws `QUERY_TOO_LARGE`. A comment
 * counts as a token, because a parsed document keeps it like one.
 */
export function checkSource(text: string, maxTokens: number): void {
  const lexer = new Lexer(new Source(text));
  let tokens = 0;
  let brackets = 0;
  let deepest = 0;
  for (;;) {
    const { kind, start, end } = lexer.advance();
    for (let { next } = lexer.lastToken; next?.kind === TokenKind.COMMENT; next = next.next) tokens++;
    // Each token refers to the one before. Without that, the counted tokens can be freed.
    Reflect.set(lexer.lastToken, 'prev', null);
    if (kind !== TokenKind.EOF) tokens++;
    if (tokens > maxTokens) throw tooLarge(`A query may have ${maxTokens} tokens, but this one has more.`);
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

/** Strings may be longer than names: the bounds of their arguments apply. */
function isText(kind: TokenKind): boolean {
  return kind === TokenKind.STRING || kind === TokenKind.BLOCK_STRING;
}

/** Creates the validation rules for depth and aliases, which report `QUERY_TOO_LARGE`, and the one that names arguments in errors. */
export function limitRules(limits: { readonly depth: number; readonly aliases: number }): ValidationRule[] {
  return [
    nameArguments,
    refuseIntrospectionAliases,
    refuseReservedAliases,
    ...depthRules(limits.depth),
    maxAliasesRule({
      n: limits.aliases,
      allowList: [],
      propagateOnRejection: false,
      onReject: [refuse((count) => `A query may have ${limits.aliases} aliases, but this one has ${count}.`)],
    }),
  ];
}

/** Creates the rules for depth. The second one measures all fields, so it says nothing of a query that the first has refused. */
function depthRules(maxDepth: number): ValidationRule[] {
  const refused = new WeakSet<ValidationContext>();
  const refuseQuery = refuse((count) => `A query may be ${maxDepth} deep, but this one is ${count}.`);
  const refuseIntrospection = refuse(
    (count) => `Introspection may be ${MAX_INTROSPECTION_DEPTH} deep, but this query is ${count}.`,
  );
  return [
    maxDepthRule({
      n: maxDepth,
      // A fragment adds nothing to how deep the answer is, and clients that write one for each component nest many.
      flattenFragments: true,
      propagateOnRejection: false,
      onReject: [
        (context, error) => {
          if (context) refused.add(context);
          refuseQuery(context, error);
        },
      ],
    }),
    maxDepthRule({
      n: MAX_INTROSPECTION_DEPTH,
      flattenFragments: true,
      ignoreIntrospection: false,
      propagateOnRejection: false,
      onReject: [
        (context, error) => {
          if (context && !refused.has(context)) refuseIntrospection(context, error);
        },
      ],
    }),
  ];
}

/** Refuses the alias `__proto__`: GraphQL reserves such names, and a JavaScript object cannot have it as an ordinary key. */
function refuseReservedAliases(context: ValidationContext): ASTVisitor {
  return {
    Field({ alias }) {
      if (alias?.value === '__proto__') context.reportError(refused('An alias must not be __proto__.'));
    },
  };
}

/**
 * Refuses aliases of introspection fields: no tool uses them, and without them an answer has each field once. graphql-js
 * limits how deep the lists of the schema are nested (`MaxIntrospectionDepthRule`).
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

/** Replaces the message of a rule of graphql-armor, which ends with the count, by one of ours. */
function refuse(messageOf: (count: string) => string) {
  return (context: ValidationContext | null, { message }: GraphQLError) => {
    context?.reportError(tooLarge(messageOf(/found (\d+)/.exec(message)?.[1] ?? 'more')));
  };
}
