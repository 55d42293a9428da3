import { AsyncLocalStorage } from 'node:async_hooks';
import {
  getNamedType,
  GraphQLObjectType,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  type ResponsePath,
} from 'graphql';
import type { ResolvingField, ReadLog } from '../reads/load';

const resolvingField = new AsyncLocalStorage<ResolvingField>();

/** Creates a log of the reads of one request, which knows the field that each read is for. */
export function createReadLog(): ReadLog {
  return {
    reads: [],
    resolving: () => resolvingField.getStore(),
    apart: (work) => resolvingField.exit(work),
    lists: new Map(),
  };
}

/** Wraps every resolver of the schema so that `load` knows, for requests with a log, which one is running. */
export function trackFields(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!(type instanceof GraphQLObjectType) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      if (!field.resolve) continue;
      const isList = getNamedType(field.type).name.endsWith('Connection');
      field.resolve = tracked(field.resolve, `${type.name}.${field.name}`, type.name === 'PageInfo', isList);
    }
  }
}

function tracked(
  resolve: GraphQLFieldResolver<unknown, unknown>,
  field: string,
  isOfPage: boolean,
  isList: boolean,
): GraphQLFieldResolver<unknown, unknown> {
  return (root, args, context, info) => {
    const { log } = context as { log?: ReadLog };
    if (log === undefined) return resolve(root, args, context, info);
    const path = joinPath(info.path);
    if (isList) log.lists.set(path, field);
    // A field of `pageInfo` reads its list, so its reads belong to the field of the list.
    const list = isOfPage ? log.lists.get(path.split('.').slice(0, -2).join('.')) : undefined;
    return resolvingField.run({ path, field: list ?? field }, () => resolve(root, args, context, info));
  };
}

function joinPath(path: ResponsePath | undefined): string {
  const fields: string[] = [];
  for (let step = path; step; step = step.prev) if (typeof step.key === 'string') fields.unshift(step.key);
  return fields.join('.');
}
