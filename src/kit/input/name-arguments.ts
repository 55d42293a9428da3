import {
  GraphQLError,
  Kind,
  visit,
  type ArgumentNode,
  type ASTNode,
  type ASTVisitor,
  type DocumentNode,
  type OperationDefinitionNode,
  type ValidationContext,
} from 'graphql';

/**
 * A rule of validation that refuses nothing: it makes errors about a value begin with the place of the value, such as
 * `publishArticle.input.tags[1]`. graphql-js says only what is wrong with it.
 */
export function nameArguments(context: ValidationContext): ASTVisitor {
  const report = context.reportError.bind(context);
  context.reportError = (error) => {
    const nodes = error.nodes ?? [];
    const owner = context.getDirective() ?? context.getFieldDef();
    // The error of a scalar may have no node.
    const argument = nodes.length === 0 ? context.getArgument() : null;
    const place =
      argument && owner
        ? `${owner.name}.${argument.name}`
        : findPlace(context.getDocument(), (node) => nodes.includes(node));
    const { message, originalError, extensions } = error;
    report(
      place === null ? error : new GraphQLError(`${place}: ${message}`, { nodes, originalError, extensions }),
    );
  };
  return {};
}

/**
 * The message of an error about the value of a variable. It begins with the first place that takes the variable, because the person who
 * reads it may not know the document.
 */
export function messageOfVariable(
  { message, nodes = [] }: Pick<GraphQLError, 'message' | 'nodes'>,
  { definitions }: DocumentNode,
  operation: OperationDefinitionNode,
): string {
  const [definition] = nodes;
  if (definition?.kind !== Kind.VARIABLE_DEFINITION) return message;
  const name = definition.variable.name.value;
  const isUse = (node: ASTNode) => node.kind === Kind.VARIABLE && node.name.value === name;
  const fragments = definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  for (const part of [operation, ...fragments]) {
    const place = findPlace(part, isUse);
    if (place !== null) return `${place}: ${message}`;
  }
  return message;
}

/** The first place in a part of a document that has a wanted value; null if there is none. */
function findPlace(part: ASTNode, isWanted: (node: ASTNode) => boolean): string | null {
  let found: string | null = null;
  const look = (node: ASTNode, place: string): void => {
    if (found !== null) return;
    if (isWanted(node)) found = place;
    else if (node.kind === Kind.LIST)
      for (const [n, item] of node.values.entries()) look(item, `${place}[${n}]`);
    else if (node.kind === Kind.OBJECT)
      for (const field of node.fields) {
        const ofField = `${place}.${field.name.value}`;
        if (isWanted(field)) found ??= ofField;
        look(field.value, ofField);
      }
  };
  const lookInto = (owner: string, taken: readonly ArgumentNode[] = []) => {
    for (const { name, value } of taken) look(value, `${owner}.${name.value}`);
  };
  visit(part, {
    Field: (node) => {
      lookInto(node.name.value, node.arguments);
    },
    Directive: (node) => {
      lookInto(`@${node.name.value}`, node.arguments);
    },
    VariableDefinition: ({ variable, defaultValue }) => {
      if (defaultValue) look(defaultValue, `$${variable.name.value}`);
    },
  });
  return found;
}
