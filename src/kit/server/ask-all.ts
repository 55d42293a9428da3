import type { Worker as ServerProcess } from 'node:cluster';
import { setTimeout as sleep } from 'node:timers/promises';
import type { z } from 'zod';
import { fromServer, type toServer } from '../base/each-process';

/** Milliseconds after which a question is answered without the processes that have not answered. */
const MAX_ANSWER_MS = 3000;

/**
 * Asks all of some server processes a question. Resolves to the answers of those that are alive and answer in time: before `enoughAfterMs` if
 * any has answered by then, and before three seconds in any case.
 */
export async function askAll(
  servers: readonly ServerProcess[],
  question: string,
  enoughAfterMs = MAX_ANSWER_MS,
): Promise<readonly unknown[]> {
  const answers: unknown[] = [];
  const asked = servers.map(async (server) => {
    const given = await ask(server, question);
    if (given !== null) answers.push(given.answer);
  });
  const enough = new AbortController();
  const all = Promise.all(asked);
  const timeIsUp = sleep(enoughAfterMs, undefined, enough).then(
    () => (answers.length > 0 ? undefined : all),
    () => undefined,
  );
  await Promise.race([all, timeIsUp]);
  enough.abort();
  return [...answers];
}

let lastId = 0;

function ask(server: ServerProcess, question: string): Promise<{ readonly answer: unknown } | null> {
  const id = ++lastId;
  const asked = Promise.withResolvers<{ readonly answer: unknown } | null>();
  const giveUp = () => {
    asked.resolve(null);
  };
  const receive = (message: unknown) => {
    const { data } = fromServer.safeParse(message);
    if (data?.kind === 'answer' && data.id === id) asked.resolve({ answer: data.answer });
  };
  const timer = setTimeout(giveUp, MAX_ANSWER_MS);
  server.on('message', receive).once('exit', giveUp);
  tell(server, { kind: 'question', question, id });
  return asked.promise.finally(() => {
    clearTimeout(timer);
    server.off('message', receive).off('exit', giveUp);
  });
}

/** Tells a server process something. One that ends at this moment hears nothing. */
export function tell(server: ServerProcess, message: z.infer<typeof toServer>): void {
  if (server.isConnected()) server.send(message, () => undefined);
}
