import type { Handler } from './kit/work/handler';
import { writeFeatures } from './write-features';
import type { WriteContext } from './write/write-context';

/** Creates the handler of each kind of task that mutations enqueue, by kind. */
export function taskHandlers(writeContext: WriteContext): Readonly<Record<string, Handler>> {
  const handlers: Record<string, Handler> = {};
  for (const [kind, handlerOf] of writeFeatures.flatMap(({ tasks }) => Object.entries(tasks))) {
    if (kind in handlers) throw new Error(`Two features have tasks of the kind ${kind}: rename one of them.`);
    handlers[kind] = handlerOf(writeContext);
  }
  return handlers;
}
