import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Lets caches keep an answer that is the same for everybody: those that many share for some seconds, if the request has no token.
 * With a token, the next answer must have what its owner has written. A client that has the answer gets only its headers (304).
 */
export function shareAnswer(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  answer: string,
  seconds: number,
): string | FastifyReply {
  // A weak one, because the same answer may be sent compressed.
  const tag = `"${createHash('sha256').update(answer).digest('base64url').slice(0, 27)}"`;
  const hasToken = headers.authorization !== undefined;
  reply.headers({
    etag: `W/${tag}`,
    'cache-control': hasToken ? 'private, no-cache' : `public, max-age=${seconds}`,
    vary: [reply.getHeader('vary') ?? [], 'authorization', 'x-explain'].flat().join(', '),
  });
  if (!names(headers['if-none-match'] ?? '', tag)) return answer;
  return reply.code(304).send();
}

/** Whether a list of entity tags has this one, compared weakly (RFC 9110, section 13.1.2). */
function names(tags: string, tag: string): boolean {
  return tags.split(',').some((one) => ['*', tag, `W/${tag}`].includes(one.trim()));
}
