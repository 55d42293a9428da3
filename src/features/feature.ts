import type { NodeTypes } from '../kit/graphql/node-resolver';
import type { ConnectionField } from '../kit/lists/connection-field';
import type { DeclaredTable } from '../tools/model/model';

/** The parts of the API and the data model that a feature adds. A feature only reads; its mutations are in its `WriteFeature`. */
export interface Feature {
  /** The heading of its tables in the data model. */
  readonly title: string;
  readonly tables: readonly DeclaredTable[];
  /** The fields that show its lists. */
  readonly connections?: readonly ConnectionField[];
  readonly resolvers?: readonly (new () => object)[];
  /** Its types that have global ids, by name. */
  readonly nodeTypes?: NodeTypes;
}
