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
import type { ErrorDetails } from '../base/errors';

/**
 * A rule of validation that refuses nothing: it makes errors about a value begin with the place of the value, such as
 * `publishArticle.input.tags[1]`, and tell the argument. graphql-js says only what is wrong with it.
 */
export function nameArguments(context: ValidationContext): ASTVisitor {
  const report = context.reportError.bind(context);
  let places: ReadonlyMap<ASTNode, string> | undefined;
  context.reportError = (error) => {
    const nodes = error.nodes ?? [];
    const directive = context.getDirective();
    const owner = directive ? `@${directive.name}` : context.getFieldDef()?.name;
    // The error of a scalar may have no node.
    const argument = nodes.length === 0 ? context.getArgument() : null;
    const place =
      argument && owner !== undefined
        ? `${owner}.${argument.name}`
        : nodes.map((node) => (places ??= placesIn(context.getDocument())).get(node)).find(Boolean);
    const { message, originalError } = error;
    if (place === undefined) {
      report(error);
      return;
    }
    const extensions = { ...error.extensions, ...detailsOf(place) };
    report(new GraphQLError(`${place}: ${message}`, { nodes, originalError, extensions }));
  };
  return {};
}

/** Returns the details of an error about the value at a place. Arguments of directives, and defaults of variables, belong to no field. */
export function detailsOf(place: string): ErrorDetails {
  return /^[@$]/.test(place) ? {} : { argument: place.slice(place.indexOf('.') + 1) };
}

/**
 * The message of an error about the value of a variable, and its details. It begins with the first place that takes the variable, because
 * the person who reads it may not know the document.
 */
export function describeVariableError(
  { message, nodes = [] }: Pick<GraphQLError, 'message' | 'nodes'>,
  { definitions }: DocumentNode,
  operation: OperationDefinitionNode,
): { readonly message: string; readonly details: ErrorDetails } {
  const [definition] = nodes;
  if (definition?.kind !== Kind.VARIABLE_DEFINITION) return { message, details: {} };
  const name = definition.variable.name.value;
  const fragments = definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  for (const part of [operation, ...fragments]) {
    const [place] = [...placesIn(part)].flatMap(([node, at]) =>
      node.kind === Kind.VARIABLE && node.name.value === name ? at : [],
    );
    if (place === undefined) continue;
    // graphql-js tells the way within the value in its message only. A value that it repeats there has no quote after a space.
    const [, within = ''] = new RegExp(` at "${name}([^"]*)"; `).exec(message) ?? [];
    return { message: `${place}: ${message}`, details: detailsOf(`${place}${within}`) };
  }
  return { message, details: {} };
}

/** The places of all values in a part of a document, and of all fields of objects, in the order of the text. */
function placesIn(part: ASTNode): ReadonlyMap<ASTNode, string> {
  const places = new Map<ASTNode, string>();
  const look = (node: ASTNode, place: string): void => {
    places.set(node, place);
    if (node.kind === Kind.LIST) for (const [n, item] of node.values.entries()) look(item, `${place}[${n}]`);
    if (node.kind === Kind.OBJECT)
      for (const field of node.fields) {
        const ofField = `${place}.${field.name.value}`;
        places.set(field, ofField);
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
  return places;
}
