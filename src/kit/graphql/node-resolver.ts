import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql';
import { badInput } from '../base/errors';
import { Bounded, ID_BOUNDS } from '../input/input-bounds';
import type { Load } from '../data/load';
import { CostExample, MaxItems, oneOf, Reads, rowsOf, upTo } from '../cost/reads';
import { decodeNodeId, Node } from '../relay/node';

/** A type of nodes. */
export interface NodeType {
  /** The property that holds its own id. */
  readonly key: string;
  /** The tables that it is read from. */
  readonly reads: readonly { readonly name: string }[];
  load(load: Load, id: string): Promise<object | null>;
}

/** Each type of node by its name. */
export type NodeTypes = Readonly<Record<string, NodeType>>;

/** Makes the resolver of `node` and `nodes`. */
export function createNodeResolver(nodeTypes: NodeTypes) {
  const one = oneOf(...Object.values(nodeTypes).map(({ reads }) => reads.map((table) => rowsOf(table))));
  const some = oneOf(
    ...Object.values(nodeTypes).map(({ reads }) =>
      reads.map((table) => upTo(table, ({ limit }) => ({ reads: limit, rows: limit }))),
    ),
  );

  @Resolver()
  class NodeResolver {
    @Reads(one)
    @Query(() => Node, {
      nullable: true,
      description: 'Anything by its global id; null when it is not there.',
    })
    node(@Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string, @Ctx() { load }: { readonly load: Load }) {
      return nodeOf(load, id);
    }

    @CostExample('100 ids', { ids: Array.from({ length: 100 }, () => '') })
    @MaxItems(({ ids }) => (ids as readonly string[]).length)
    @Reads(some)
    @Query(() => [Node], {
      nullable: 'items',
      description: 'At most 100 things by their global ids, in that order. Those of a type are one request.',
    })
    nodes(
      @Bounded({ ...ID_BOUNDS, maxItems: 100, itemsLimit: 'nodes' }) @Arg('ids', () => [ID]) ids: string[],
      @Ctx() { load }: { readonly load: Load },
    ) {
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
