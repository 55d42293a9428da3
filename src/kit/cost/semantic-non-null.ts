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
  type GraphQLSchema,
} from 'graphql';
import { Extensions } from 'type-graphql';
import { appendDirectives, type AppendedDirective } from './cost-directives';

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

interface Declaration {
  readonly nullOnlyByError?: boolean;
}

/**
 * Declares that a nullable field is null only if an error says why. The payloads of mutations need no declaration: all are so.
 *
 * @example
 * ```ts
 * @Resolver()
 * class NotesResolver {
 *   @NullOnlyByError()
 *   @Query(() => String, { nullable: true })
 *   secretNote(): string {
 *     throw new ClientError('FORBIDDEN', 'Only its author may read it.');
 *   }
 * }
 * ```
 */
export function NullOnlyByError(nullOnlyByError = true): MethodDecorator {
  return Extensions({ nullOnlyByError } satisfies Declaration);
}

/** Adds to the text of a schema which of its fields are null only by an error. */
export function withSemanticNonNull(text: string, schema: GraphQLSchema): string {
  const directives: AppendedDirective[] = [];
  visit(parse(text), {
    ObjectTypeDefinition(node) {
      const type = schema.getType(node.name.value);
      if (!isObjectType(type)) return;
      const isPayload = type === schema.getMutationType();
      for (const { name, type: shown } of node.fields ?? []) {
        const field = type.getFields()[name.value];
        if (field && (isPayload || isDeclared(field)) && isNullableType(field.type))
          directives.push({ at: shown.loc?.end ?? text.length, directive: '@semanticNonNull' });
      }
    },
  });
  return appendDirectives(text, directives);
}

function isDeclared({ extensions }: GraphQLField<unknown, unknown>): boolean {
  return (extensions as Declaration).nullOnlyByError === true;
}
