import { writeFileSync } from 'node:fs';
import { printed } from '../kit/graphql/schema';
import { createSchema } from '../schema';

// `npm run schema`: writes what the classes say into schema.graphql, in the folder it is run from.
writeFileSync('schema.graphql', printed(createSchema()));
