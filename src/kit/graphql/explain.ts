import { AsyncLocalStorage } from 'node:async_hooks';
import { GraphQLObjectType, type GraphQLFieldResolver, type GraphQLSchema, type ResponsePath } from 'graphql';
import type { Read, ReadLog } from '../load';

const asking = new AsyncLocalStorage<string>();

/** A log of the reads of one request, which knows the field that asked. */
export function createReadLog(): ReadLog {
  const reads: Read[] = [];
  return { reads, path: () => asking.getStore() };
}

/** Makes every resolver of the schema known to `load` while it runs, for requests that have a log. */
export function trackPaths(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!(type instanceof GraphQLObjectType) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      if (field.resolve) field.resolve = tracked(field.resolve);
    }
  }
}

function tracked(resolve: GraphQLFieldResolver<unknown, unknown>): GraphQLFieldResolver<unknown, unknown> {
  return (root, args, context, info) =>
    (context as { log?: ReadLog }).log === undefined
      ? resolve(root, args, context, info)
      : asking.run(fieldsOf(info.path), () => resolve(root, args, context, info));
}

function fieldsOf(path: ResponsePath | undefined): string {
  const fields: string[] = [];
  for (let at = path; at; at = at.prev) if (typeof at.key === 'string') fields.unshift(at.key);
  return fields.join('.');
}
