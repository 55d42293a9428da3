import type { Handler } from '../kit/work/handler';
import type { WriteContext } from './write-context';

/** The write half of a feature: its mutations and the tasks that they enqueue. */
export interface WriteFeature {
  /** The resolvers of its mutations. */
  readonly mutations: readonly (new () => object)[];
  /** Creates the handler of each kind of task that its mutations enqueue, by kind. */
  readonly tasks: Readonly<Record<string, (writeContext: WriteContext) => Handler>>;
}
