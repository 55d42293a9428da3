/**
 * The outcome of a record. A relation is `written`: it is not read before, so whether it is new is known only when the import is settled. A
 * `refused` record is not stored.
 */
export type Outcome = 'stored' | 'changed' | 'unchanged' | 'written' | { readonly refused: string };
