import type { ModelSource } from './kit/model/model';
import { cql } from './open';
import { createSchema } from './schema';
import { tablesByTitle } from './tables';

/** What the server and `npm run model` show of its data model. */
export const model: ModelSource = { title: 'Murmuration', createSchema, features: tablesByTitle, cql };
