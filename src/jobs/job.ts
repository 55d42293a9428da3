import type { Rebuilt } from './rebuild';
import type { DerivationOptions } from '../write/derived-table';
import type { Verified } from './verify';

/** Rebuilds a derived table from its sources, or compares it with them. */
export interface Job {
  /** The name of the table. */
  readonly name: string;
  /** Rebuilds the table while servers keep serving it. Rejects while an import runs. */
  rebuild(context: DerivationOptions, onProgress: (rebuilt: Rebuilt) => void): Promise<Rebuilt>;
  /** Compares about `size` rows in each direction. Rejects if something differs while an import runs. */
  verify(context: DerivationOptions, size: number): Promise<Verified>;
}
