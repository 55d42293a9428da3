import 'reflect-metadata';
import type { GraphQLResolveInfo } from 'graphql';
import { Args, Ctx, Field, FieldResolver, Float, Info, Int, ObjectType, Resolver, Root } from 'type-graphql';
import { Reads, rowsOf, upTo, type TableBound } from '../cost/reads';
import { selects } from '../cost/selects';
import { NullOnlyByError } from '../input/null-only-by-error';
import { connect, type Connection } from './connection';
import { DateTime } from '../input/date-time';
import { pageOf } from './page';
import { PageArgs } from '../input/page-args';
import { PageInfo } from './connection-types';
import type { ShownList } from './list';
import { hideRows } from './hide-rows';
import {
  isBare,
  type AnyNode,
  type ListContext,
  type OwnerHiding,
  type PageHiding,
  type ShownAt,
} from './node';

type Class = new () => object;

/** An edge type and its connection type, `LikeEdge` and `LikeConnection`. Several lists may have the same. */
interface Edge<F extends string> {
  readonly name: string;
  /** The fields of an edge besides its item: columns with their descriptions. */
  readonly fields: Readonly<Record<F, string>>;
  /** The description of the item, as what it is to the owner of the list. */
  readonly node: string;
}

/** Declares an edge type that tells more of a row than its item. */
export function edge<const F extends string>(
  name: string,
  fields: Readonly<Record<F, string>>,
  node = 'The item.',
): Edge<F> {
  return { name, fields, node };
}

/** A rule that says who may see a list of an object. */
export interface Guard<X> {
  /** Throws if the caller may not see it. */
  check(this: void, context: X, ownerId: string): Promise<void>;
  readonly reads: readonly TableBound[];
}

/** Another order of a list, which is read by hand. */
export interface Variant<R, X, A> {
  /** The arguments of the connection, of which some choose the order. */
  readonly args: new () => A;
  /** The reads of a page in either order, given those of a page in the list's own order. */
  reads(this: void, newest: readonly TableBound[]): readonly TableBound[];
  /** Reads a page in that order, without what `hidden` hides; undefined if the arguments ask for the list's own order. */
  page(
    this: void,
    context: X,
    ownerId: string,
    args: A,
    hidden?: PageHiding<R>,
  ): Promise<Connection<unknown, object>> | undefined;
}

/** A field that shows a list of the object that has it. */
export interface ConnectionField {
  readonly field: string;
  readonly list: Listed & { readonly of: AnyNode };
  /** The resolvers of the field and of its types. */
  readonly resolvers: readonly Class[];
}

type Listed = Pick<ShownList<object, never>, 'item' | 'points' | 'columns'>;

/**
 * Declares the field by which the owner of a list shows it, as a connection that pages in both directions. It returns the types of
 * `edge`, or of the item if an edge tells nothing more. `only` says who may see it; for others the field is null with an error.
 */
export function connection<
  R extends object,
  X extends ListContext,
  F extends keyof R & string = never,
  A extends PageArgs = PageArgs,
  O extends object = object,
>(
  list: ShownList<R, X>,
  field: string,
  declared: {
    readonly description: string;
    readonly edge?: Edge<F>;
    readonly only?: Guard<X>;
    readonly variant?: Variant<R, X, A>;
    /** The rule by which items are hidden because of the owner of the list, besides those that are hidden from the caller. */
    readonly hiding?: OwnerHiding<R, X, O>;
    /** The place where its items are shown, which decides what is hidden from the caller; `LIST` if it is not given. */
    readonly place?: ShownAt;
  },
): ConnectionField {
  const { description, only, variant, hiding, edge: shape, place } = declared;
  const { of, item, points, reads } = list;
  const types = connectionTypes(list, shape);
  const told = Object.keys(shape?.fields ?? {});
  const newest = (
    context: X,
    ownerId: string,
    args: PageArgs,
    info?: GraphQLResolveInfo,
    hidden?: PageHiding<R>,
  ) => {
    const selected = info && ((name: string) => selects(info, item.name, name));
    const { list: seen, find } = list.open(context, ownerId, selected, place);
    const opened = hidden ? hideRows(seen, hidden) : seen;
    // An item that nobody has read is its id: see `LazyNode`.
    const nodeOf = (row: R): unknown => find(row) ?? (points === null ? null : Reflect.get(row, points));
    const edgeOf = (row: R, cursor: string) => {
      const made: { cursor: string } & Record<string, unknown> = { cursor, node: nodeOf(row) };
      for (const property of told) made[property] = Reflect.get(row, property);
      return made;
    };
    return connect(opened, pageOf(opened.name, args), edgeOf, nodeOf);
  };

  @Resolver(of.type)
  class OwnerResolver {
    @Reads(...(variant?.reads(reads) ?? reads), ...(only?.reads ?? []), ...(hiding?.reads ?? []))
    @NullOnlyByError(only !== undefined)
    @FieldResolver(() => types.connection, { description, nullable: only !== undefined })
    // The method has the name of the field, because type-graphql finds resolvers and extensions by the names of methods.
    [field](
      @Root() root: O,
      @Args(() => variant?.args ?? PageArgs) args: A,
      @Ctx() context: X,
      info?: GraphQLResolveInfo,
    ) {
      const ownerId = of.ownerId(root);
      if (isBare(root)) return only ? only.check(context, ownerId).then(() => NO_PAGE) : NO_PAGE;
      const hidden = hiding?.open(context, root);
      const read = () =>
        variant?.page(context, ownerId, args, hidden) ?? newest(context, ownerId, args, info, hidden);
      const page = only ? only.check(context, ownerId).then(read) : read();
      return context.sight?.isNobody === false && of.madeBy === 'itself'
        ? unlessHidden(context, of, root, page)
        : page;
    }
  }
  // The selections are only looked at where what is read depends on them.
  if (item.onDemand !== undefined) Info()(OwnerResolver.prototype, field, 3);
  return { field, list, resolvers: [OwnerResolver, ...types.resolvers] };
}

/** Reads the page of a list; an empty one if the list is hidden from the caller. */
async function unlessHidden(
  context: ListContext,
  of: AnyNode,
  owner: object,
  page: Promise<Connection<unknown, object>>,
): Promise<Connection<unknown, object>> {
  const hiding = of.hiding?.open(context, 'LIST');
  const [read] = await Promise.all([page, hiding?.learn([owner])]);
  return hiding?.hides(owner) === true ? NO_PAGE : read;
}

const NO_PAGE: Connection<unknown, object> = {
  ...{ edges: [], nodes: [], hiddenCount: 0 },
  pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
};

/** The types of a connection, and the resolvers of their fields. */
interface ConnectionTypes {
  readonly edge: Class;
  readonly connection: Class;
  readonly resolvers: readonly Class[];
}

const built = new WeakMap<object, ConnectionTypes>();

/**
 * The types of a connection of items, such as `TweetEdge` and `TweetConnection`: each pair is built once. Resolvers that are written by
 * hand return the same ones.
 */
export function connectionTypes(list: AnyNode | Listed, shape?: Edge<string>): ConnectionTypes {
  const listed: Listed = 'item' in list ? list : { item: list, points: null, columns: {} };
  const key = shape ?? listed.item;
  const types = built.get(key) ?? buildTypes(shape ?? edge(listed.item.name, {}), listed);
  built.set(key, types);
  return types;
}

function buildTypes(
  { name, fields, node }: Edge<string>,
  { item, points, columns }: Listed,
): ConnectionTypes {
  // Items that are always there are read only if a query asks for them.
  const isLazy = points !== null && item.visible === undefined;
  const items = `The ${item.name.toLowerCase()}s of the page.`;

  @ObjectType(`${name}Edge`, { simpleResolvers: true })
  class EdgeType {
    @Field(() => String, {
      description: isLazy
        ? 'A position in this list, for `after` and `before`.'
        : 'The position of the item in this list, for `after` and `before`.',
    })
    cursor: string;
  }
  for (const [property, description] of Object.entries(fields))
    Field(() => scalars[columns[property]?.cql ?? ''] ?? String, { description })(
      EdgeType.prototype,
      property,
    );

  @ObjectType(`${name}Connection`, { simpleResolvers: true })
  class ConnectionType {
    @Field(() => [EdgeType], { description: 'The items of the page with their cursors.' })
    edges: EdgeType[];

    @Field(() => PageInfo, { description: 'Where the page is in its list.' })
    pageInfo: PageInfo;
  }
  const types = { edge: EdgeType, connection: ConnectionType };
  const counting = item.hiding ? [countHidden(ConnectionType)] : [];
  if (!isLazy) {
    Field(item.type, { description: node })(EdgeType.prototype, 'node');
    Field(() => [item.type()], { description: items })(ConnectionType.prototype, 'nodes');
    return { ...types, resolvers: counting };
  }

  @Resolver(() => EdgeType)
  class LazyNode {
    @Reads(rowsOf(item.sized))
    @FieldResolver(item.type, { description: node })
    node(@Root() { node: id }: { node: string }, @Ctx() { load }: ListContext) {
      return item.find(load, id);
    }
  }

  @Resolver(() => ConnectionType)
  class LazyNodes {
    @Reads(upTo(item.sized, ({ limit }) => ({ reads: limit, rows: limit })))
    @FieldResolver(() => [item.type()], { description: items })
    nodes(@Root() { nodes }: { nodes: readonly string[] }, @Ctx() { load }: ListContext) {
      return Promise.all(nodes.map((id) => item.find(load, id)));
    }
  }
  return { ...types, resolvers: [LazyNode, LazyNodes, ...counting] };
}

/** Adds to a type of connections how much of a page is hidden from the caller. Pages that are made by hand may leave it out. */
function countHidden(type: Class): Class {
  @Resolver(() => type)
  class HiddenCount {
    @FieldResolver(() => Int, {
      description:
        'How many items of the page the viewer may not see, or nobody, because their user is suspended or leaves: they are left out.',
    })
    hiddenCount(@Root() { hiddenCount }: { hiddenCount?: number }) {
      return hiddenCount ?? 0;
    }
  }
  return HiddenCount;
}

/** The GraphQL types of columns by their types in CQL; other columns are texts. */
const scalars: Readonly<Record<string, object>> = {
  timestamp: DateTime,
  int: Int,
  double: Float,
  boolean: Boolean,
};
