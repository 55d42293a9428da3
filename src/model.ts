import type { ModelSource } from './tools/model/model';
import { cql } from './open';
import { createSchema } from './schema';
import { tablesByTitle } from './tables';

/** The data model that the server and `npm run model` show. */
export const model: ModelSource = { title: 'Murmuration', createSchema, features: tablesByTitle, cql };
