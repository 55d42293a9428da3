import type { Rebuilt } from './rebuild';
import type { Deriving } from './sources';
import type { Verified } from './verify';

/** Rebuilds a derived table from its sources, or compares it with them. */
export interface Job {
  /** The name of the table. */
  readonly name: string;
  /** Rebuilds the table while servers keep serving it. Rejects while an import runs. */
  rebuild(deriving: Deriving, onProgress: (rebuilt: Rebuilt) => void): Promise<Rebuilt>;
  /** Compares about `size` rows in each direction. Rejects if something differs while an import runs. */
  verify(deriving: Deriving, size: number): Promise<Verified>;
}
