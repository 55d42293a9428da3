import type { AnyTable } from './kit/model/model';
import type { NodeTypes } from './kit/graphql/node-resolver';

/** What a feature adds to the API and the data model. A feature only reads; its mutations are in its `WriteFeature`. */
export interface Feature {
  /** The heading of its tables in the data model. */
  readonly title: string;
  readonly tables: readonly AnyTable[];
  readonly resolvers: readonly (new () => object)[];
  /** Its types that have global ids, by name. */
  readonly nodeTypes?: NodeTypes;
}
