import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { print } from 'graphql-sse';
import type { LiveStream } from '../subscriptions/live-stream';

/** Milliseconds between two comments that keep a stream open through proxies, which close what is silent for a minute. */
const KEEP_ALIVE_MS = 12_000;

/**
 * Sends the events of a subscription as `text/event-stream`, by the distinct connections mode of the protocol of graphql-sse. Its
 * own handler is not used, because it takes events faster than a slow client reads them and keeps them in memory. Here the next
 * event is only taken when the last one was written, and a client that takes longer than `sendMs` for one is cut off. `opened` is
 * called when the client has the beginning of the stream, which may have to wait for other answers of its connection.
 */
export async function sendEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  stream: LiveStream,
  sendMs: number,
  opened: () => void,
): Promise<void> {
  const { raw } = reply;
  reply.hijack();
  raw.once('close', () => void stream.return(undefined));
  raw.writeHead(200, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    // Tells nginx not to collect events before it passes them on.
    'x-accel-buffering': 'no',
  });
  const timer = setInterval(() => {
    if (!raw.writableNeedDrain) raw.write(':\n\n');
  }, KEEP_ALIVE_MS).unref();
  try {
    await write(raw, ':\n\n', sendMs);
    opened();
    for await (const data of stream) await write(raw, print({ event: 'next', data: data as never }), sendMs);
    await write(raw, print({ event: 'complete', data: null }), sendMs);
    raw.end();
  } catch (error) {
    request.log.debug({ err: error }, 'a stream of events was cut off');
    raw.destroy();
    void stream.return(undefined);
  } finally {
    clearInterval(timer);
  }
}

/** Writes to a client, and resolves when the system has taken all of it. Rejects if that takes too long, or the client leaves. */
function write(raw: ServerResponse, text: string, milliseconds: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (error?: Error | null) => {
      clearTimeout(timer);
      raw.off('close', onClose);
      if (error) reject(error);
      else resolve();
    };
    const onClose = () => {
      settle(new Error('the client has left'));
    };
    const timer = setTimeout(() => {
      settle(new Error('the client reads too slowly'));
    }, milliseconds);
    raw.once('close', onClose);
    raw.write(text, settle);
    if (raw.destroyed) onClose();
  });
}
