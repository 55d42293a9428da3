import { join } from 'node:path';
import type { ModelSource } from 'murmuration/kit';
import { createSchema } from './schema';
import { features } from './tables';

/** Beside the sources, from what they are compiled to as well. */
export const cql = join(__dirname.replace(join('dist', 'examples'), 'examples'), '../cql');

/** What the server and `npm run model` show of its data model. */
export const model: ModelSource = { title: 'Weather', schema: createSchema(), features, cql };
