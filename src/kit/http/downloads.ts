import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ClientError, rateLimited } from '../base/errors';
import { createCounts } from '../rate-limits/counts';
import type { RequestLimits } from '../rate-limits/rate-limits';
import type { Admitted, RequestHead } from './admission';

/** A file that is made while it is sent. */
export interface Download {
  /** The name of the file in a browser. */
  readonly name: string;
  readonly type: string;
  /** Is cancelled if the client leaves. An error cuts the answer off. */
  readonly content: ReadableStream<Uint8Array>;
}

/**
 * Opens the file at each path for the caller of a request. Throws if there is none for this caller, or if the file costs more points than
 * the caller has left: those are taken before it is sent.
 */
export type Downloads = Readonly<
  Record<string, (request: RequestHead, limits: RequestLimits) => Promise<Download>>
>;

/** When a caller who downloads a file already should try again. */
const RETRY_AFTER_SECONDS = 10;

/** The statuses by which HTTP says why there is no file. */
const STATUSES: Readonly<Record<string, number>> = { FORBIDDEN: 403, NOT_FOUND: 404, CONFLICT: 409 };

/** Serves files, one at a time to each caller. The scope admits requests. */
export function serveDownloads(
  scope: FastifyInstance,
  downloads: Downloads,
  { callerOf, limitsOf }: Pick<Admitted, 'callerOf' | 'limitsOf'>,
): void {
  const open = createCounts(1);
  for (const [url, openFile] of Object.entries(downloads))
    scope.get(url, { exposeHeadRoute: false }, async (request, reply) => {
      const caller = callerOf(request);
      if (!open.add(caller))
        throw rateLimited(
          `A caller may download one file at a time. Try again in ${RETRY_AFTER_SECONDS} s, or when that has ended.`,
          RETRY_AFTER_SECONDS,
        );
      const leave = () => {
        open.remove(caller);
      };
      // The client may have left already.
      if (reply.raw.destroyed) leave();
      else reply.raw.once('close', leave);
      try {
        return await send(reply, await openFile(request, limitsOf(request)));
      } catch (error) {
        return refuse(reply, error);
      }
    });
}

function send(reply: FastifyReply, { name, type, content }: Download): FastifyReply {
  reply.headers({
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'private, no-store',
  });
  return reply.type(type).send(Readable.fromWeb(content));
}

/** Answers with the error if that says why there is no file; else throws it. */
function refuse(reply: FastifyReply, error: unknown): FastifyReply {
  if (!(error instanceof ClientError)) throw error;
  const { message, extensions } = error;
  const status = STATUSES[String(extensions['code'])];
  if (status === undefined) throw error;
  return reply.code(status).send({ errors: [{ message, extensions }] });
}
