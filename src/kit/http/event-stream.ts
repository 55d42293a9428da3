import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { print } from 'graphql-sse';
import { acceptedBy, EVENTS_TYPE, PARTS_TYPE } from '../graphql/media-type';
import type { LiveStream } from '../subscriptions/live-stream';

/** Milliseconds between two comments that keep a stream open through proxies, which close what is silent for a minute. */
const KEEP_ALIVE_MS = 12_000;

/** A format in which the events of a subscription are written. */
interface Format {
  readonly begin: string;
  /** The text that keeps a stream open without an event. */
  readonly keepAlive: string;
  event(data: object): string;
  /** Whether an event without data ends the subscription for clients. */
  readonly endsWithoutData: boolean;
  readonly end: string;
}

/** A part ends with the boundary of the next one, because clients read a part when they have that. */
const part = (content: object) =>
  `\r\ncontent-type: application/json\r\n\r\n${JSON.stringify(content)}\r\n--graphql`;

const formats: Readonly<Record<typeof EVENTS_TYPE | typeof PARTS_TYPE, Format>> = {
  /** The distinct connections mode of the protocol of graphql-sse. */
  [EVENTS_TYPE]: {
    begin: ':\n\n',
    keepAlive: ':\n\n',
    endsWithoutData: false,
    event: (data) => print({ event: 'next', data: data }),
    end: print({ event: 'complete', data: null }),
  },
  /** Apollo's protocol. An event without data is an error of the transport there. */
  [PARTS_TYPE]: {
    begin: `--graphql${part({})}`,
    keepAlive: part({}),
    endsWithoutData: true,
    event: (data) => part('data' in data ? { payload: data } : { payload: null, ...data }),
    end: '--\r\n',
  },
};

/** The answers that are streams of events. */
const streamed = new WeakSet<ServerResponse>();

/** Whether an answer is a stream of events, which lasts as long as a subscription. */
export function isEventStream(raw: ServerResponse): boolean {
  return streamed.has(raw);
}

/**
 * Sends the events of a subscription as a stream of the type that the client asks for. The handler of graphql-sse is not used, because it
 * takes events faster than a slow client reads them and keeps them in memory. Here the next event is only taken when the last one was
 * written, and a client that takes longer than `sendMs` for one is cut off. `opened` is called when the client has the beginning of the
 * stream, which may have to wait for other answers of its connection.
 */
export async function sendEvents(
  request: FastifyRequest,
  reply: FastifyReply,
  stream: LiveStream,
  sendMs: number,
  opened: () => void,
): Promise<void> {
  const { raw } = reply;
  const type = acceptedBy(request.headers.accept).stream ?? EVENTS_TYPE;
  const format = formats[type];
  reply.hijack();
  streamed.add(raw);
  raw.once('close', () => void stream.return(undefined));
  raw.writeHead(200, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'content-type': type,
    'cache-control': 'no-cache',
    // Tells nginx not to collect events before it passes them on.
    'x-accel-buffering': 'no',
  });
  const timer = setInterval(() => {
    if (!raw.writableNeedDrain) raw.write(format.keepAlive);
  }, KEEP_ALIVE_MS).unref();
  try {
    await write(raw, format.begin, sendMs);
    opened();
    for await (const data of stream) {
      await write(raw, format.event(data), sendMs);
      if (format.endsWithoutData && !('data' in data)) break;
    }
    await write(raw, format.end, sendMs);
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
