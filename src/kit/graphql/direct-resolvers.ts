import { GraphQLObjectType, type GraphQLSchema } from 'graphql';
import { getMetadataStorage } from 'type-graphql';

type ResolverClass = new () => object;
type FieldResolverMetadata = ReturnType<typeof getMetadataStorage>['fieldResolvers'][number];
type Method = (this: object, ...parameters: unknown[]) => unknown;

/**
 * Makes a schema call field resolvers themselves if they take no more than the parent object and the context. type-graphql's
 * wrapper prepares the parameters in the same way for each call, which takes longer than most of these resolvers.
 */
export function callDirectly(schema: GraphQLSchema, resolvers: readonly ResolverClass[]): void {
  const { fieldResolvers, objectTypes } = getMetadataStorage();
  const names = new Map(objectTypes.map(({ target, name }) => [target, name]));
  for (const Resolver of resolvers) {
    const instance = new Resolver();
    for (const metadata of fieldResolvers) {
      const { target, methodName, schemaName, getObjectType } = metadata;
      if (target !== Resolver || !getObjectType || !isPlain(metadata)) continue;
      const type = schema.getType(names.get(getObjectType()) ?? '');
      const field = type instanceof GraphQLObjectType ? type.getFields()[schemaName] : undefined;
      const method: unknown = Reflect.get(instance, methodName);
      if (!field || !isMethod(method)) continue;
      field.resolve =
        metadata.params?.length === 1
          ? (root: unknown) => method.call(instance, root)
          : (root: unknown, _args, context: unknown) => method.call(instance, root, context);
    }
  }
}

/** Whether a resolver takes the parent object and, after it, at most the context, as they are. */
function isPlain({ params = [], middlewares = [], roles }: FieldResolverMetadata): boolean {
  const [root, context, ...others] = params.toSorted((a, b) => a.index - b.index);
  return (
    root?.kind === 'root' &&
    root.propertyName === undefined &&
    root.getType === undefined &&
    (context === undefined || (context.kind === 'context' && context.propertyName === undefined)) &&
    others.length === 0 &&
    middlewares.length === 0 &&
    roles === undefined
  );
}

function isMethod(value: unknown): value is Method {
  return typeof value === 'function';
}
