import { AsyncLocalStorage } from 'node:async_hooks';
import {
  getNamedType,
  GraphQLObjectType,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  type ResponsePath,
} from 'graphql';
import type { Asking, ReadLog } from '../data/load';

const asking = new AsyncLocalStorage<Asking>();

/** A log of the reads of one request, which knows the field that asked. */
export function createReadLog(): ReadLog {
  return { reads: [], asking: () => asking.getStore(), lists: new Map() };
}

/** Makes every resolver of the schema known to `load` while it runs, for requests that have a log. */
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
    const path = pathOf(info.path);
    if (isList) log.lists.set(path, field);
    // What a page knows of its list it reads there.
    const list = isOfPage ? log.lists.get(path.split('.').slice(0, -2).join('.')) : undefined;
    return asking.run({ path, field: list ?? field }, () => resolve(root, args, context, info));
  };
}

function pathOf(path: ResponsePath | undefined): string {
  const fields: string[] = [];
  for (let at = path; at; at = at.prev) if (typeof at.key === 'string') fields.unshift(at.key);
  return fields.join('.');
}
