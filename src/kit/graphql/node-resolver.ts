import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, ID, Info, Query, Resolver } from 'type-graphql';
import { badInput } from '../base/errors';
import { Bounded, ID_BOUNDS } from '../input/input-bounds';
import type { Load } from '../data/load';
import { CostExample, MaxItems, oneOf, Reads, rowsOf, upTo } from '../cost/reads';
import { decodeNodeId, Node } from '../relay/node';
import { readEarly } from './early-page';
import { selectsOnlyKey } from './selects-only-key';

/** A type of objects that `node` and `nodes` return. */
export interface NodeType {
  /** The property with the object's own id. */
  readonly key: string;
  /** The tables that it is read from. */
  readonly reads: readonly { readonly name: string }[];
  load(load: Load, id: string): Promise<object | null>;
  /**
   * Whether the object is known to exist, so that it is not read for fields that need its key only. Given for types all of whose
   * resolvers need no more of the object than its key.
   */
  isKnown?(load: Load, id: string): boolean;
  /**
   * For such types, the lists that are empty for an object that does not exist: a page with items makes the read of the object
   * needless. The fields return an object with `nodes`, and must not look at the selections in their `info`.
   */
  readonly lists?: readonly string[];
}

interface NodeContext {
  readonly load: Load;
}

/** The types of nodes by their names. */
export type NodeTypes = Readonly<Record<string, NodeType>>;

/** Creates the resolver of `node` and `nodes`. */
export function createNodeResolver(nodeTypes: NodeTypes) {
  const one = oneOf(...Object.values(nodeTypes).map(({ reads }) => reads.map((table) => rowsOf(table))));
  const several = oneOf(
    ...Object.values(nodeTypes).map(({ reads }) =>
      reads.map((table) => upTo(table, ({ limit }) => ({ reads: limit, rows: limit }))),
    ),
  );

  @Resolver()
  class NodeResolver {
    @Reads(one)
    @Query(() => Node, {
      nullable: true,
      description: 'The object with this global id; null if it does not exist.',
    })
    node(
      @Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string,
      @Ctx() context: NodeContext,
      @Info() info: GraphQLResolveInfo,
    ) {
      return nodeOf(id, context, info);
    }

    @CostExample('100 ids', { ids: Array.from({ length: 100 }, () => '') })
    @MaxItems(({ ids }) => (ids as readonly string[]).length)
    @Reads(several)
    @Query(() => [Node], {
      nullable: 'items',
      description:
        'The objects with these global ids, at most 100, in the order of the ids; null for each that does not exist. Fails with `BAD_USER_INPUT` if one is not an id that this API returned.',
    })
    nodes(
      @Bounded({ ...ID_BOUNDS, maxItems: 100, itemsLimit: 'nodes' }) @Arg('ids', () => [ID]) ids: string[],
      @Ctx() context: NodeContext,
      @Info() info: GraphQLResolveInfo,
    ) {
      return Promise.all(ids.map((id) => nodeOf(id, context, info)));
    }
  }

  async function nodeOf(globalId: string, context: NodeContext, info: GraphQLResolveInfo) {
    const { type, id } = decodeNodeId(globalId);
    const known = nodeTypes[type];
    if (known === undefined)
      throw badInput(`An id must be one that this API gave, but got: ${JSON.stringify(globalId)}`);
    const { load } = context;
    const read = async () => {
      const row = await known.load(load, id);
      return row && { ...row, __typename: type };
    };
    if (!known.isKnown || !selectsOnlyKey(info, type, known.key)) return read();
    const object = { [known.key]: id, __typename: type };
    if (known.isKnown(load, id)) return object;
    const early = known.lists && (await readEarly(object, info, context, { type, lists: known.lists }));
    if (early === undefined) return read();
    if (early.items !== undefined && early.items > 0) return early.object;
    const row = known.load(load, id);
    // If neither could be read, only the page has failed: its field tells that.
    const exists = await (early.items === undefined ? row.catch(() => object) : row);
    return exists && early.object;
  }
  return NodeResolver;
}
