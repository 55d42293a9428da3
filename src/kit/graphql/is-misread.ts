import { visit, type DocumentNode } from 'graphql';

/**
 * Whether graphql-jit might answer a document wrongly: it mixes up the conditions of `@skip` and `@include` if one field is
 * selected several times or one fragment is spread twice (graphql-jit issues 111 and 166).
 */
export function isMisread(document: DocumentNode): boolean {
  const conditions: string[] = [];
  const names: string[] = [];
  visit(document, {
    Directive({ name: { value } }) {
      if (value === 'skip' || value === 'include') conditions.push(value);
    },
    Field({ alias, name, selectionSet }) {
      if (selectionSet) names.push((alias ?? name).value);
    },
    FragmentSpread({ name }) {
      names.push(`...${name.value}`);
    },
  });
  return conditions.length > 0 && new Set(names).size < names.length;
}
