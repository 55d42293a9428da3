import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Ctx, ID, Info, Query, Resolver } from 'type-graphql';
import { isUnavailable } from '../base/errors';
import { Bounded, ID_BOUNDS } from '../input/input-bounds';
import type { Load } from '../reads/load';
import {
  CostExample,
  MaxItems,
  oneOf,
  Reads,
  rowsOf,
  upTo,
  type Sized,
  type TableBound,
} from '../cost/reads';
import { selects } from '../cost/selects';
import { notAnId, decodeNodeId, Node } from './global-id';
import { readEarly } from './early-page';

/** A type of objects that `node` and `nodes` return. */
interface NodeType {
  /** The property with the object's own id. */
  readonly key: string;
  /** The tables that it is read from. */
  readonly reads: readonly Sized[];
  /** Reads the object. `selects` tells which of its fields the query selects. */
  load(load: Load, id: string, selects: (field: string) => boolean): Promise<object | null>;
  /** Shows the object to the caller, perhaps with less; null if it is hidden from the caller. */
  readonly shown?: {
    readonly reads: readonly TableBound[];
    readonly to: { bivariant(context: Loading, object: object): Promise<object | null> }['bivariant'];
  };
  /**
   * The lists that have items only if the object exists, and need no more of it than its key. If a query selects a page of one of them
   * and nothing else that reads, the items of the page take the place of the read of the object. The fields return an object with
   * `nodes`.
   */
  readonly shownBy?: readonly string[];
}

interface Loading {
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

  const shown = [...new Set(Object.values(nodeTypes).flatMap((type) => type.shown?.reads ?? []))];

  @Resolver()
  class NodeResolver {
    @Reads(one, ...shown)
    @Query(() => Node, {
      nullable: true,
      description: 'The object with this global id; null if it does not exist.',
    })
    node(
      @Bounded(ID_BOUNDS) @Arg('id', () => ID) id: string,
      @Ctx() context: Loading,
      @Info() info: GraphQLResolveInfo,
    ) {
      return nodeOf(id, 'id', context, info);
    }

    @CostExample('100 ids', { ids: Array.from({ length: 100 }, () => '') })
    @MaxItems(({ ids }) => (ids as readonly string[]).length)
    @Reads(several, ...shown)
    @Query(() => [Node], {
      nullable: 'items',
      description:
        'The objects with these global ids, in the order of the ids; null for each that does not exist. Fails with `BAD_USER_INPUT` if one is not an id that this API returned.',
    })
    nodes(
      @Bounded({ ...ID_BOUNDS, maxItems: 100, itemsLimit: 'nodes' }) @Arg('ids', () => [ID]) ids: string[],
      @Ctx() context: Loading,
      @Info() info: GraphQLResolveInfo,
    ) {
      return Promise.all(ids.map((id, n) => nodeOf(id, `ids[${n}]`, context, info)));
    }
  }

  async function nodeOf(globalId: string, argument: string, context: Loading, info: GraphQLResolveInfo) {
    const { type, id } = decodeNodeId(globalId, argument);
    const known = nodeTypes[type];
    if (known === undefined) throw notAnId(globalId, argument);
    const { load } = context;
    const isSelected = (field: string) => selects(info, type, field);
    const read = async () => {
      const found = await known.load(load, id, isSelected);
      const row = found && known.shown ? await known.shown.to(context, found) : found;
      return row && { ...row, __typename: type };
    };
    const { key, shownBy: lists } = known;
    if (!lists) return read();
    const early = await readEarly({ [key]: id, __typename: type }, info, context, { type, key, lists });
    if (early === undefined) return read();
    if (early.items > 0) return early.object;
    try {
      return (await known.load(load, id, isSelected)) && early.object;
    } catch (error) {
      // The field of the page tells that the database does not answer. Then this field need not fail as well.
      if (isUnavailable(early.error)) return early.object;
      throw error;
    }
  }
  return NodeResolver;
}
