import { countJobs } from './counts';
import { derivedFromCounts, derivedRows } from './derived';
import type { Derived } from './examine';
import { frequencyJob } from './frequency';
import type { Job } from './job';
import { rebuildRows } from './rebuild';
import { verifyRows } from './verify';

function rowJob(derived: Derived): Job {
  return {
    name: derived.table.name,
    rebuild: (deriving, onProgress) => rebuildRows(deriving, derived, onProgress),
    verify: (deriving, size) => verifyRows(deriving, derived, size),
  };
}

/** Every derived table: one that is derived from another comes after that. */
export const derivedTables: readonly Job[] = [
  ...derivedRows.map(rowJob),
  ...countJobs,
  ...derivedFromCounts.map(rowJob),
  frequencyJob,
];

/** The tables that are derived from nothing, and why. */
export const sources: Readonly<Record<string, string>> = {
  users: 'it says who a user is',
  users_by_identity: 'it decides which user an identity made',
  relations: 'it decides who follows whom',
  tweets: 'it says what was posted',
  raw_tweets: 'it holds the records that were imported',
  imported_counts: 'it holds the counts that were imported',
  deleted_tweets: 'it remembers what was deleted',
  articles: 'it says what was published',
  comments: 'it says what was said about articles',
  tallies: 'it decides who likes or shares what, and what acts have counted',
  fanout_modes: 'it decides whose tweets are pushed',
  idempotency_keys: 'it decides which tweet a key made',
  outbox: 'it holds the work that is not done',
  outbox_windows: 'it says where that work is',
  workers: 'it says which servers are alive',
  leases: 'it says who does which work',
  rankings: 'it holds what was so at past times: history is not to be made again',
  ranking_pairs: 'it is scratch of rankings that are being taken',
  unsettled_imports: 'it says which imports are under way',
};
