import type { DeclaredHandler } from './kit/work/handler';
import { writeFeatures } from './write-features';
import type { WriteContext } from './write/write-context';

/** Creates the handler of each kind of task that mutations enqueue, by kind. Throws if two features have tasks of one kind. */
export function taskHandlers(
  writeContext: WriteContext,
  features = writeFeatures,
): Readonly<Record<string, DeclaredHandler>> {
  const handlers: Record<string, DeclaredHandler> = {};
  for (const [kind, handlerOf] of features.flatMap(({ tasks }) => Object.entries(tasks))) {
    if (kind in handlers) throw new Error(`Two features have tasks of the kind ${kind}: rename one of them.`);
    handlers[kind] = handlerOf(writeContext);
  }
  return handlers;
}

/** The kinds of all tasks. */
export const taskKinds: readonly string[] = writeFeatures.flatMap(({ tasks }) => Object.keys(tasks));
