import { BREAK, visit, type DocumentNode } from 'graphql';

/**
 * Whether graphql-jit might answer a document wrongly: it mixes up the conditions of `@skip` and `@include` where one field
 * is asked for in several places or one fragment is spread twice (graphql-jit issues 111 and 166).
 */
export function isMisread(document: DocumentNode): boolean {
  const names = new Set<string>();
  let isConditional = false;
  let isRepeated = false;
  const see = (name: string) => {
    isRepeated ||= names.has(name);
    names.add(name);
    return isConditional && isRepeated ? BREAK : undefined;
  };
  visit(document, {
    Directive({ name: { value } }) {
      isConditional ||= value === 'skip' || value === 'include';
      return isConditional && isRepeated ? BREAK : undefined;
    },
    // Directives come after the name, so that a field is never seen alone.
    Field: ({ alias, name, selectionSet }) => (selectionSet ? see((alias ?? name).value) : undefined),
    FragmentSpread: ({ name }) => see(`...${name.value}`),
  });
  return isConditional && isRepeated;
}
