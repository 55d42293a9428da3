import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql';
import { badInput } from '../errors';
import type { Load } from '../load';
import { decodeNodeId, Node } from './node';

/** Each type of node: the property that holds its own id, and how it is read. */
export type NodeTypes = Readonly<
  Record<string, { readonly key: string; load(load: Load, id: string): Promise<object | null> }>
>;

/** Makes the resolver of `node` and `nodes`. */
export function createNodeResolver(nodeTypes: NodeTypes) {
  @Resolver()
  class NodeResolver {
    @Query(() => Node, {
      nullable: true,
      description:
        'Anything by its global id; null when it is not there. Costs one partition of the table of its type.',
    })
    node(@Arg('id', () => ID) id: string, @Ctx() { load }: { readonly load: Load }) {
      return nodeOf(load, id);
    }

    @Query(() => [Node], {
      nullable: 'items',
      description: 'At most 100 things by their global ids, in that order. Costs one request a type.',
    })
    nodes(@Arg('ids', () => [ID]) ids: string[], @Ctx() { load }: { readonly load: Load }) {
      return Promise.all(ids.map((id) => nodeOf(load, id)));
    }
  }

  async function nodeOf(load: Load, globalId: string) {
    const { type, id } = decodeNodeId(globalId);
    const known = nodeTypes[type];
    if (known === undefined)
      throw badInput(`An id must be one that this API gave, but got: ${JSON.stringify(globalId)}`);
    const row = await known.load(load, id);
    return row && { ...row, __typename: type };
  }
  return NodeResolver;
}
