import {
  GraphQLObjectType,
  type GraphQLFieldResolver,
  type GraphQLResolveInfo,
  type GraphQLSchema,
} from 'graphql';
import { getMetadataStorage } from 'type-graphql';
import { asError } from '../base/errors';

type ResolverClass = new () => object;
type Metadata = ReturnType<typeof getMetadataStorage>;
type FieldResolverMetadata = Metadata['fieldResolvers'][number];
type HandlerMetadata = FieldResolverMetadata | Metadata['queries'][number];
type ParamMetadata = NonNullable<HandlerMetadata['params']>[number];
type ArgType = ReturnType<(ParamMetadata & { kind: 'arg' })['getType']>;
type Method = (this: object, ...parameters: unknown[]) => unknown;
type Values = Readonly<Record<string, unknown>>;
type Resolve = GraphQLFieldResolver<unknown, unknown, Values>;
/** A function that returns the value of a resolver's parameter. */
type Parameter = (root: unknown, args: Values, context: unknown, info: GraphQLResolveInfo) => unknown;

/**
 * Makes a schema call the resolvers of fields and queries itself if they take the parent object, the context, the info and
 * arguments that need no conversion. type-graphql's wrapper prepares the parameters in the same way for each call and waits for each,
 * which takes longer than most of these resolvers.
 */
export function callDirectly(schema: GraphQLSchema, resolvers: readonly ResolverClass[]): void {
  const storage = getMetadataStorage();
  const names = new Map(storage.objectTypes.map(({ target, name }) => [target, name]));
  const typeOf = (metadata: FieldResolverMetadata) =>
    schema.getType((metadata.getObjectType && names.get(metadata.getObjectType())) ?? '');
  for (const Resolver of resolvers) {
    const instance = new Resolver();
    const direct = (type: unknown, metadata: HandlerMetadata) => {
      const field = type instanceof GraphQLObjectType ? type.getFields()[metadata.schemaName] : undefined;
      const resolve = directResolver(instance, metadata, storage);
      if (field && resolve) field.resolve = rejecting(resolve);
    };
    const isOwn = ({ target }: HandlerMetadata) => target === Resolver;
    for (const metadata of storage.fieldResolvers.filter(isOwn)) direct(typeOf(metadata), metadata);
    for (const metadata of storage.queries.filter(isOwn)) direct(schema.getQueryType(), metadata);
  }
}

/**
 * Calls a resolver so that it rejects instead of throwing. If one of a list's items throws at once, graphql-js forgets the promises of the
 * items before, and nobody handles their rejections.
 */
function rejecting(resolve: Resolve): Resolve {
  return (root, args, context, info) => {
    try {
      return resolve(root, args, context, info);
    } catch (error) {
      return Promise.reject(asError(error));
    }
  };
}

/** A function that calls the method of a resolver; undefined if only type-graphql can call it as it must be. */
function directResolver(
  instance: object,
  { methodName, params = [], middlewares = [], roles }: HandlerMetadata,
  storage: Metadata,
): Resolve | undefined {
  const method: unknown = Reflect.get(instance, methodName);
  const parameters = params
    .toSorted((a, b) => a.index - b.index)
    .flatMap((param) => readParameter(param, storage) ?? []);
  const isPlain = parameters.length === params.length && middlewares.length === 0 && roles === undefined;
  if (!isMethod(method) || !isPlain) return undefined;
  const [first, second, third, fourth, ...others] = parameters;
  if (!first || others.length > 0) return undefined;
  if (!second) return (root, args, context, info) => method.call(instance, first(root, args, context, info));
  if (!third)
    return (root, args, context, info) =>
      method.call(instance, first(root, args, context, info), second(root, args, context, info));
  if (!fourth)
    return (root, args, context, info) =>
      method.call(
        instance,
        first(root, args, context, info),
        second(root, args, context, info),
        third(root, args, context, info),
      );
  return (root, args, context, info) =>
    method.call(
      instance,
      first(root, args, context, info),
      second(root, args, context, info),
      third(root, args, context, info),
      fourth(root, args, context, info),
    );
}

function readParameter(param: ParamMetadata, storage: Metadata): Parameter | undefined {
  switch (param.kind) {
    case 'root':
      return param.propertyName === undefined && !param.getType ? (root) => root : undefined;
    case 'context':
      return param.propertyName === undefined ? (_root, _args, context) => context : undefined;
    case 'info':
      return (_root, _args, _context, info) => info;
    case 'arg': {
      const { name } = param;
      return isInput(param.getType(), storage) ? undefined : (_root, args) => args[name];
    }
    case 'args':
      return readArgs(param.getType(), storage);
    default:
      return undefined;
  }
}

/** Gives a resolver its arguments as an object of their class, if none of them has to be converted. */
function readArgs(type: ArgType, storage: Metadata): Parameter | undefined {
  if (typeof type !== 'function') return undefined;
  const classes = [];
  for (let one: unknown = type; typeof one === 'function'; one = Object.getPrototypeOf(one))
    classes.push(...storage.argumentTypes.filter(({ target }) => target === one));
  const fields = classes.flatMap(({ fields = [] }) => fields);
  if (fields.length === 0 || fields.some(({ getType }) => isInput(getType(), storage))) return undefined;
  // Values that the class itself gives its properties are left to type-graphql.
  const empty: object = Reflect.construct(type, []) as object;
  if (Object.values(empty).some((value) => value !== undefined)) return undefined;
  const names = fields.map(({ name }) => name);
  const prototype = Reflect.getPrototypeOf(empty);
  return (_root, args) => {
    const given = Object.create(prototype) as Record<string, unknown>;
    for (const name of names) if (args[name] !== undefined) given[name] = args[name];
    return given;
  };
}

/** Whether a type is an input object, whose values type-graphql converts to objects of its class. */
function isInput(type: ArgType, { inputTypes }: Pick<Metadata, 'inputTypes'>): boolean {
  return inputTypes.some(({ target }) => target === type);
}

function isMethod(value: unknown): value is Method {
  return typeof value === 'function';
}
