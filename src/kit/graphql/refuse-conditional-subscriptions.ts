import {
  type ASTVisitor,
  GraphQLError,
  Kind,
  OperationTypeNode,
  type SelectionNode,
  type ValidationContext,
} from 'graphql';

const CONDITIONS = ['skip', 'include'];

/**
 * Refuses `@skip` and `@include` at the field of a subscription, and at fragments that contain it, as the GraphQL specification of
 * September 2025 does. graphql-js 16 throws while it validates such a document if the condition is a variable or malformed.
 */
export function refuseConditionalSubscriptions(context: ValidationContext): ASTVisitor {
  return {
    OperationDefinition({ operation, selectionSet }) {
      if (operation !== OperationTypeNode.SUBSCRIPTION) return;
      const seen = new Set<string>();
      const check = (selections: readonly SelectionNode[]) => {
        for (const selection of selections) {
          for (const { name } of selection.directives ?? [])
            if (CONDITIONS.includes(name.value))
              context.reportError(
                new GraphQLError(`The field of a subscription must not have @${name.value}.`, {
                  nodes: selection,
                }),
              );
          if (selection.kind === Kind.INLINE_FRAGMENT) check(selection.selectionSet.selections);
          if (selection.kind !== Kind.FRAGMENT_SPREAD || seen.has(selection.name.value)) continue;
          seen.add(selection.name.value);
          check(context.getFragment(selection.name.value)?.selectionSet.selections ?? []);
        }
      };
      check(selectionSet.selections);
    },
  };
}
