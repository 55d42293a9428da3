import type { Handler } from '../kit/work/handler';
import type { WriteContext } from './write-context';

/** What a feature writes. */
export interface WriteFeature {
  /** The resolvers of its mutations. */
  readonly mutations: readonly (new () => object)[];
  /** Creates the handler of each kind of work that its mutations leave in the outbox. */
  readonly tasks: Readonly<Record<string, (writeContext: WriteContext) => Handler>>;
}
