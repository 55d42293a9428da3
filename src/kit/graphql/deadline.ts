import { setTimeout as sleep } from 'node:timers/promises';
import { GraphQLError, type ExecutionResult, type GraphQLSchema } from 'graphql';
import { mutationStillRunning } from '../base/errors';
import type { Pass } from '../reads/gate';

/**
 * Milliseconds in which an execution must end after its pass was closed. It takes less than one, because the reads that it
 * waits for are rejected, and the fields with them. Only a resolver that waits for something else is abandoned.
 */
const GRACE_MS = 100;

interface Passing {
  readonly pass?: Pass;
}

interface Mutating extends Passing {
  whileWriting?<T>(this: void, work: () => Promise<T>): Promise<T>;
}

/**
 * Ends mutations when their pass is closed: none begins after that, and one that has begun is answered while its work goes
 * on. Queries do not need this, because they wait for `load` or for their pass. Each mutation runs within `whileWriting`, if
 * the context has that.
 */
export function endMutations(schema: GraphQLSchema): void {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const { resolve } = field;
    if (!resolve) continue;
    field.resolve = (root, args, context: Mutating, info) => {
      const { pass, whileWriting } = context;
      if (pass?.closed) throw pass.closed;
      const work = (): unknown => resolve(root, args, context, info);
      const result = whileWriting ? whileWriting(async () => work()) : work();
      if (!pass || !(result instanceof Promise)) return result;
      return pass.within(result).catch((error: unknown) => {
        throw pass.closed && error === pass.closed ? mutationStillRunning(pass.closed) : error;
      });
    };
  }
}

/** Waits for an execution. If it hangs when its pass is closed, it is abandoned and the request is answered without data. */
export async function endExecution(
  { pass }: Passing,
  execution: ExecutionResult | Promise<ExecutionResult>,
): Promise<ExecutionResult> {
  if (!pass || !(execution instanceof Promise)) return execution;
  return pass.within(execution).catch(async (error: unknown) => {
    const reason = pass.closed;
    if (!reason) throw error;
    const late = await Promise.race([execution, sleep(GRACE_MS, null, { ref: false })]);
    return late ?? { data: null, errors: [new GraphQLError(reason.message, { originalError: reason })] };
  });
}
