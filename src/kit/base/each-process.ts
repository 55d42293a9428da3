import cluster from 'node:cluster';
import { z } from 'zod';

/** The messages of a server process to the process that started it. */
export const fromServer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready'), banner: z.string() }),
  z.object({ kind: z.literal('ask'), question: z.string(), enoughAfterMs: z.int().optional() }),
  z.object({ kind: z.literal('answer'), id: z.int(), answer: z.unknown() }),
]);

/** The messages to a server process: a question, and later the answers of all processes. */
export const toServer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('question'), question: z.string(), id: z.int() }),
  z.object({
    kind: z.literal('answers'),
    question: z.string(),
    answers: z.array(z.unknown()),
    processes: z.int(),
    restarts: z.int(),
  }),
]);

/** The answers of the server processes that share a port. */
export interface FromEach<T> {
  /** The answer of each process that is ready and answers in time. */
  readonly answers: readonly T[];
  /** How many processes there should be. */
  readonly processes: number;
  /** How often one of them was started again. */
  readonly restarts: number;
}

/** Whether this is one of the server processes of a machine that share a port: see `WORKERS` in the settings. */
export const isOneOfSeveral = cluster.isWorker;

/** Tells the process that started this one something. */
export function tellStarter(message: z.infer<typeof fromServer>): void {
  process.send?.(message);
}

/**
 * Creates a question that each server process answers by `answer`, in JSON: a request for metrics or health comes to one process and
 * is about all of them. A process that is alone asks itself. The answers of all are waited for, but for no more than `enoughAfterMs`
 * if some have answered by then.
 */
export function askEachProcess<T>(
  question: string,
  answer: () => Promise<T>,
  { enoughAfterMs }: { readonly enoughAfterMs?: number } = {},
): () => Promise<FromEach<T>> {
  if (!isOneOfSeveral) return async () => ({ answers: [await answer()], processes: 1, restarts: 0 });
  let asked: PromiseWithResolvers<FromEach<T>> | undefined;
  process.on('message', (message) => {
    const { data } = toServer.safeParse(message);
    if (data?.question !== question) return;
    if (data.kind === 'question') void answerTo(data.id, answer);
    else {
      asked?.resolve({ ...data, answers: data.answers as readonly T[] });
      asked = undefined;
    }
  });
  return async () => {
    // Anybody may ask, and a question is work in every process.
    if (asked === undefined) {
      asked = Promise.withResolvers();
      tellStarter({ kind: 'ask', question, enoughAfterMs });
    }
    return asked.promise;
  };
}

async function answerTo(id: number, answer: () => Promise<unknown>): Promise<void> {
  try {
    tellStarter({ kind: 'answer', id, answer: await answer() });
  } catch {
    // The other answers are given without this one.
  }
}
