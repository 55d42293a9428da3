import type { GraphQLField } from 'graphql';
import { Extensions } from 'type-graphql';

interface Declaration {
  readonly nullOnlyByError?: boolean;
}

/**
 * Declares that a nullable field is null only if an error says why. The payloads of mutations are, unless
 * `@NullOnlyByError(false)` says otherwise.
 *
 * @example
 * ```ts
 * @Resolver()
 * class NotesResolver {
 *   @NullOnlyByError()
 *   @Query(() => String, { nullable: true })
 *   firstNote(): string {
 *     throw unavailable(new Error('The notes are being moved.'));
 *   }
 * }
 * ```
 */
export function NullOnlyByError(nullOnlyByError = true): MethodDecorator {
  return Extensions({ nullOnlyByError } satisfies Declaration);
}

/** Returns the declaration of a field; undefined if there is none. */
export function isNullOnlyByError({ extensions }: GraphQLField<unknown, unknown>): boolean | undefined {
  return (extensions as Declaration).nullOnlyByError;
}
