import type { DeclaredHandler } from '../kit/work/handler';
import type { ExportedPart } from './exported';
import type { DeletionPart, Swept } from './account-deletion';
import type { DerivedTable } from './derived-table';
import type { WriteServices } from './write-services';

/** The write half of a feature: its mutations, the tasks that they enqueue, and what its tables are derived from. */
export interface WriteFeature {
  /** The resolvers of its mutations. */
  readonly mutations: readonly (new () => object)[];
  /** Creates the handler of each kind of task that its mutations enqueue, by kind. */
  readonly tasks: Readonly<
    Record<string, (writeServices: WriteServices, features: readonly WriteFeature[]) => DeclaredHandler>
  >;
  /**
   * The tables that can be rebuilt and verified, because their rows are derived from rows of other tables. A list that says what its
   * rows follow from is one of them by itself.
   */
  readonly derived?: readonly DerivedTable[];
  /** The parts that remove the traces of a person whose account is deleted. */
  readonly accountDeletion?: readonly DeletionPart[];
  /** The parts of the export of a person. */
  readonly exported?: readonly ExportedPart[];
  /** The tables in which only a look at all rows finds the id of such a person. */
  readonly swept?: readonly Swept[];
}
