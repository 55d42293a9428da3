import 'reflect-metadata';
import { Field, ID, InterfaceType } from 'type-graphql';
import { badInput } from '../base/errors';
import { isId } from '../base/ids';

/** Anything with a global id. */
@InterfaceType('Node', { description: 'Anything that has a global id.' })
export abstract class Node {
  @Field(() => ID, { description: 'Opaque and global: `node` and `nodes` take it. Costs nothing.' })
  id: string;
}

/** Makes the global id of a node from its type and its own id. */
export function encodeNodeId(type: string, id: string): string {
  return Buffer.from(`${type}:${id}`, 'latin1').toString('base64url');
}

/** Reads a global id; anything else is `BAD_USER_INPUT`. */
export function decodeNodeId(globalId: string): { type: string; id: string } {
  const decoded = /^[\w-]{1,100}$/.test(globalId)
    ? Buffer.from(globalId, 'base64url').toString('latin1')
    : '';
  const parts = /^([A-Z][A-Za-z]*):(\d{1,19})$/.exec(decoded);
  const [, type, id] = parts ?? [];
  if (type === undefined || id === undefined || !isId(id) || encodeNodeId(type, id) !== globalId) {
    throw badInput(
      `An id must be one that this API gave, but got: ${JSON.stringify(globalId.slice(0, 100))}`,
    );
  }
  return { type, id };
}

/** Reads the global id of a node of one type; anything else is `BAD_USER_INPUT`. */
export function idIn(type: string, globalId: string): string {
  const named = decodeNodeId(globalId);
  if (named.type !== type)
    throw badInput(
      `The id must be that of ${withArticle(type)}, but got that of ${withArticle(named.type)}.`,
    );
  return named.id;
}

/** A type as a message names it. */
function withArticle(type: string): string {
  return `${/^[AEIO]/.test(type) ? 'an' : 'a'} ${type}`;
}
