import {
  getNamedType,
  getNullableType,
  isAbstractType,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql';

/** A place in the schema that queries can reach: a type, and how to write what is around a selection of it. */
interface Place {
  readonly type: GraphQLObjectType;
  /** How it is reached, for messages. */
  readonly path: string;
  /** How many lists are around it. */
  readonly lists: number;
  /** A query; `size` is how many items its outermost list shall have. */
  around(selection: string, size: number): string;
}

type Direction = 'first' | 'last';
type Field = GraphQLField<unknown, unknown>;

/** What to give for the required arguments, by schema coordinate, `Query.node(id:)`. */
export type Given = Readonly<Record<string, (type: string, size: number) => string>>;

/** Writes queries that reach every place of a schema. A list below another has `nested` items. */
export function placesOf(schema: GraphQLSchema, given: Given, nested: number) {
  const query = schema.getQueryType();
  if (!query) throw new Error('The schema must have a query type, but has none');
  const root: Place = { type: query, path: 'Query', lists: 0, around: (selection) => `{ ${selection} }` };

  /** Every place one field further: each list in each direction and by each way to its items. */
  function stepsFrom(place: Place): Place[] {
    return fieldsOf(place.type).flatMap((field) => {
      const named = getNamedType(field.type);
      if (isConnection(named)) return waysToItems(place, field, named);
      const possible = isAbstractType(named)
        ? schema.getPossibleTypes(named)
        : isObjectType(named)
          ? [named]
          : [];
      return possible.map((type) => ({
        type,
        path: `${place.path}.${field.name}${isAbstractType(named) ? `:${type.name}` : ''}`,
        lists: place.lists + (isListType(getNullableType(field.type)) ? 1 : 0),
        around: (selection: string, size: number) =>
          place.around(`${call(place, field, size, type)} { ... on ${type.name} { ${selection} } }`, size),
      }));
    });
  }

  function waysToItems(place: Place, field: Field, connection: GraphQLObjectType): Place[] {
    const { nodes, edges } = connection.getFields();
    const edge = edges && getNamedType(edges.type);
    const node = isObjectType(edge) ? edge.getFields()['node'] : undefined;
    const ways = [
      { way: 'nodes', type: nodes?.type, open: 'nodes {', close: '}' },
      { way: 'edges.node', type: node?.type, open: 'edges { node {', close: '} }' },
    ];
    return directionsOf(field).flatMap((direction) =>
      ways.flatMap(({ way, type: of, open, close }) => {
        const type = of && getNamedType(of);
        if (!isObjectType(type)) return [];
        return {
          type,
          path: `${place.path}.${field.name}(${direction}).${way}`,
          lists: place.lists + 1,
          around: (selection: string, size: number) =>
            place.around(
              `${call(place, field, size, type, direction)} { ${open} ${selection} ${close} }`,
              size,
            ),
        };
      }),
    );
  }

  /** A field with its arguments: the required ones, and of a connection the size of the page. */
  function call(
    place: Place,
    field: Field,
    size: number,
    type: GraphQLObjectType | undefined,
    direction: Direction = 'first',
  ): string {
    const values = field.args.filter(isRequiredArgument).map(({ name }) => {
      const coordinate = `${place.type.name}.${field.name}(${name}:)`;
      const value = given[coordinate];
      if (value === undefined)
        throw new Error(`No query can be written: say what to give for the argument ${coordinate}`);
      return `${name}: ${value(type?.name ?? '', size)}`;
    });
    const takesFirst =
      isConnection(getNamedType(field.type)) || field.args.some(({ name }) => name === 'first');
    if (takesFirst) values.push(`${direction}: ${String(place.lists === 0 ? size : nested)}`);
    return field.name + (values.length > 0 ? `(${values.join(', ')})` : '');
  }

  /** A query for some fields, each with all that it shows: of a list its items, their places and the page's. */
  function ask(place: Place, fields: readonly (readonly [Field, Direction])[], size: number): string {
    const asked = fields.map(([field, direction]) => whole(place, field, size, direction));
    return place.around(asked.join(' '), size);
  }

  function whole(place: Place, field: Field, size: number, direction: Direction): string {
    const named = getNamedType(field.type);
    if (isLeafType(named)) return call(place, field, size, undefined);
    const type = isAbstractType(named)
      ? schema.getPossibleTypes(named)[0]
      : isObjectType(named)
        ? named
        : undefined;
    const selection = type
      ? `__typename ... on ${type.name} { ${simple(type, isConnection(type) ? 2 : 1)} }`
      : '';
    const alias = direction === 'first' ? '' : `${direction}_${field.name}: `;
    return `${alias}${call(place, field, size, type, direction)} { ${selection} }`;
  }
  return { root, stepsFrom, call, ask };
}

/** A selection of all that a type shows without lists. */
export function simple(type: GraphQLObjectType, depth: number): string {
  const fields = fieldsOf(type).flatMap((field) => {
    const named = getNamedType(field.type);
    if (field.args.some(isRequiredArgument) || isConnection(named)) return [];
    if (isLeafType(named)) return field.name;
    return depth > 0 && isObjectType(named) ? `${field.name} { ${simple(named, depth - 1)} }` : [];
  });
  return ['__typename', ...fields].join(' ');
}

export function fieldsOf(type: GraphQLObjectType): Field[] {
  return Object.values(type.getFields());
}

/** The ways in which a field can be read: a connection with `last` backwards too. */
export function directionsOf(field: Field): Direction[] {
  return field.args.some(({ name }) => name === 'last') ? ['first', 'last'] : ['first'];
}

/** Every field of a type in each of its directions. */
export function waysOf(type: GraphQLObjectType): (readonly [Field, Direction])[] {
  return fieldsOf(type).flatMap((field) =>
    directionsOf(field).map((direction) => [field, direction] as const),
  );
}

export function isConnection(type: unknown): type is GraphQLObjectType {
  return isObjectType(type) && 'pageInfo' in type.getFields();
}

/** The first of several places with one name. */
export function firstOf(places: readonly Place[], nameOf: (place: Place) => string): Place[] {
  return [...new Map([...places].reverse().map((place) => [nameOf(place), place])).values()].reverse();
}
