import { createSchema, tablesByTitle } from './app';
import { tableRoles } from './jobs/all';
import { cql } from './open';
import type { ModelSource } from './tools/model/model';

/** The data model that the server and `npm run model` show. */
export const model: ModelSource = {
  title: 'Murmuration',
  createSchema,
  features: tablesByTitle,
  cql,
  roles: tableRoles,
};
