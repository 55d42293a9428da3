import { AsyncLocalStorage } from 'node:async_hooks';
import { GraphQLObjectType, type GraphQLFieldResolver, type GraphQLSchema, type ResponsePath } from 'graphql';
import type { Asking, ReadLog } from '../load';

const asking = new AsyncLocalStorage<Asking>();

/** A log of the reads of one request, which knows the field that asked. */
export function createReadLog(): ReadLog {
  return { reads: [], asking: () => asking.getStore(), fields: new Map() };
}

/** Makes every resolver of the schema known to `load` while it runs, for requests that have a log. */
export function trackFields(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!(type instanceof GraphQLObjectType) || type.name.startsWith('__')) continue;
    for (const field of Object.values(type.getFields())) {
      if (field.resolve) field.resolve = tracked(field.resolve);
    }
  }
}

function tracked(resolve: GraphQLFieldResolver<unknown, unknown>): GraphQLFieldResolver<unknown, unknown> {
  return (root, args, context, info) => {
    const { log } = context as { log?: ReadLog };
    if (log === undefined) return resolve(root, args, context, info);
    const path = fieldsOf(info.path);
    // What a page knows of its list it reads there.
    const list =
      info.parentType.name === 'PageInfo' ? log.fields.get(path.slice(0, -2).join('.')) : undefined;
    const field = list ?? `${info.parentType.name}.${info.fieldName}`;
    log.fields.set(path.join('.'), field);
    return asking.run({ path: path.join('.'), field }, () => resolve(root, args, context, info));
  };
}

function fieldsOf(path: ResponsePath | undefined): string[] {
  const fields: string[] = [];
  for (let at = path; at; at = at.prev) if (typeof at.key === 'string') fields.unshift(at.key);
  return fields;
}
