import type { Rebuilt } from './rebuild';
import type { Deriving } from './sources';
import type { Verified } from './verify';

/** How a derived table is made again, and how it is compared with what it comes from. */
export interface Job {
  /** The table. */
  readonly name: string;
  /** Makes the table what its sources say, while servers serve. Rejects while an import runs. */
  rebuild(deriving: Deriving, onProgress: (rebuilt: Rebuilt) => void): Promise<Rebuilt>;
  /** Compares about so many rows each way. Rejects where something differs while an import runs. */
  verify(deriving: Deriving, size: number): Promise<Verified>;
}
