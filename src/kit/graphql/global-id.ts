import 'reflect-metadata';
import { Field, ID, InterfaceType } from 'type-graphql';
import { badInput, notFound, type ClientError } from '../base/errors';
import { isId } from '../base/ids';

/** The interface of everything that has a global id. */
@InterfaceType('Node', { description: 'Anything that has a global id.' })
export abstract class Node {
  @Field(() => ID, {
    description: 'The global id of this object: an opaque text that `node` and `nodes` take.',
  })
  id: string;
}

/**
 * Encodes the global id of a node from its type and its own id.
 *
 * @example
 * ```ts
 * const globalId = encodeNodeId('Hotel', '1');
 * idIn('Hotel', globalId); // '1'
 * ```
 */
export function encodeNodeId(type: string, id: string): string {
  return Buffer.from(`${type}:${id}`, 'latin1').toString('base64url');
}

/** Decodes a global id. Throws `BAD_USER_INPUT` that names the argument for anything else. */
export function decodeNodeId(globalId: string, argument = 'id'): { type: string; id: string } {
  const decoded = /^[\w-]{1,100}$/.test(globalId)
    ? Buffer.from(globalId, 'base64url').toString('latin1')
    : '';
  const parts = /^([A-Z][A-Za-z]*):(\d{1,19})$/.exec(decoded);
  const [, type, id] = parts ?? [];
  if (type === undefined || id === undefined || !isId(id) || encodeNodeId(type, id) !== globalId) {
    throw notAnId(globalId, argument);
  }
  return { type, id };
}

/** `BAD_USER_INPUT`: a text is no global id. */
export function notAnId(globalId: string, argument: string): ClientError {
  return badInput(
    `An id must be the \`id\` of an object as this API returned it, but got: ${JSON.stringify(globalId.slice(0, 100))}`,
    argument,
  );
}

/**
 * Decodes the global id of a node of the given type to its own id. Throws `BAD_USER_INPUT` that names the argument for anything else.
 *
 * @example
 * ```ts
 * idIn('Hotel', encodeNodeId('Hotel', '1')); // '1'; the id of a room is refused
 * ```
 */
export function idIn(type: string, globalId: string, argument = 'id'): string {
  const named = decodeNodeId(globalId, argument);
  if (named.type !== type)
    throw badInput(
      `The id must be that of ${withArticle(type)}, but got that of ${withArticle(named.type)}.`,
      argument,
    );
  return named.id;
}

/** `NOT_FOUND`: a mutation names a node of the given type that does not exist. Clients know it by its global id. */
export function nodeNotFound(type: string, id: string): ClientError {
  return notFound(`${type} ${encodeNodeId(type, id)} must exist, but does not.`);
}

/** A type with its article, for messages. */
function withArticle(type: string): string {
  return `${/^[AEIO]/.test(type) ? 'an' : 'a'} ${type}`;
}
