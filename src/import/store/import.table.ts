import { int, label } from '../../kit/cassandra/column';
import { table } from '../../kit/cassandra/table';

/** The imports that have written rows and not yet settled them. All are in one partition. */
export const unsettledImports = table(
  'unsettled_imports',
  { shard: int, run: label },
  {
    role: { kind: 'truth', why: 'it says which imports are running' },
    writeLoad: { rows: { ranking: 0.01 }, bytes: 40, spread: { over: 'nothing' }, most: 10 },
    partition: ['shard'],
    clustering: ['run'],
    order: 'asc',
  },
);
