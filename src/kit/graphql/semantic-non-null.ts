import {
  DirectiveLocation,
  GraphQLDirective,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  isNullableType,
  isObjectType,
  parse,
  visit,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';
import { isNullOnlyByError } from '../input/null-only-by-error';
import { appendDirectives, type AppendedDirective } from '../cost/cost-directives';

/**
 * The directive of https://specs.apollo.dev/nullability/v0.4, by which generators of clients that handle errors make a field
 * non-null.
 */
export const semanticNonNull = new GraphQLDirective({
  name: 'semanticNonNull',
  description: 'The field is null only if an error of the answer says why.',
  locations: [DirectiveLocation.FIELD_DEFINITION],
  args: {
    levels: {
      type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(GraphQLInt))),
      defaultValue: [0],
    },
  },
});

/** Adds to the text of a schema which of its fields are null only by an error. */
export function withSemanticNonNull(text: string, schema: GraphQLSchema): string {
  const directives: AppendedDirective[] = [];
  visit(parse(text), {
    ObjectTypeDefinition(node) {
      const type = schema.getType(node.name.value);
      if (!isObjectType(type)) return;
      for (const { name, type: shown } of node.fields ?? []) {
        const field = type.getFields()[name.value];
        if (field && isSemanticNonNull(schema, type, field))
          directives.push({ at: shown.loc?.end ?? text.length, directive: '@semanticNonNull' });
      }
    },
  });
  return appendDirectives(text, directives);
}

/** Whether a field of a type is nullable, and null only by an error: by its declaration, and each payload of a mutation without one. */
export function isSemanticNonNull(
  schema: GraphQLSchema,
  type: GraphQLObjectType,
  field: GraphQLField<unknown, unknown>,
): boolean {
  return (isNullOnlyByError(field) ?? type === schema.getMutationType()) && isNullableType(field.type);
}
