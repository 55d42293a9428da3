import { writeFileSync } from 'node:fs';
import { printed } from '../kit/graphql/schema';
import { createSchema } from '../app';

// `npm run schema`: writes the GraphQL schema to schema.graphql in the current folder.
writeFileSync('schema.graphql', printed(createSchema()));
